package io.watershed.gateway.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.KeyPattern;
import io.watershed.catalogue.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldSelectorTest {
    @Test
    void comparesForEqualityAndItsOpposite() throws SelectorSyntax {
        assertThat(matches("spec.nodeName=n1", "spec.nodeName", "n1")).isTrue();
        assertThat(matches("spec.nodeName==n1", "spec.nodeName", "n1")).isTrue();
        assertThat(matches("spec.nodeName=n2", "spec.nodeName", "n1")).isFalse();
        assertThat(matches("spec.nodeName!=n1", "spec.nodeName", "n1")).isFalse();
        assertThat(matches("spec.nodeName!=n2", "spec.nodeName", "n1")).isTrue();
    }

    @Test
    void comparesAnAbsentFieldAsEmpty() throws SelectorSyntax {
        assertThat(matches("spec.nodeName=", "other", "x")).isTrue();
        assertThat(matches("spec.nodeName!=", "other", "x")).isFalse();
        assertThat(matches("spec.nodeName!=n1", "other", "x")).isTrue();
    }

    @Test
    void needsAllTerms() throws SelectorSyntax {
        FieldSelector selector = FieldSelector.parse("pods", "metadata.name=a,metadata.namespace!=b,");

        assertThat(selector.terms())
                .containsExactly(
                        new FieldSelector.Term("metadata.name", true, "a"),
                        new FieldSelector.Term("metadata.namespace", false, "b"));
        assertThat(selector.exact("metadata.name")).isEqualTo("a");
        assertThat(selector.exact("metadata.namespace")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", ",,"})
    void skipsEmptyTerms(String selector) throws SelectorSyntax {
        assertThat(FieldSelector.parse("pods", selector)).isEqualTo(FieldSelector.ALL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"a\\,b | a,b", "a\\=b | a=b", "a\\\\b | a\\b", "a\\\\\\,\\= | a\\,=", "é | é"})
    void unescapes(String written, String value) throws SelectorSyntax {
        FieldSelector selector = FieldSelector.parse("pods", "metadata.name=" + written);

        assertThat(selector.terms()).containsExactly(new FieldSelector.Term("metadata.name", true, value));
        assertThat(FieldSelector.parse("pods", selector.toString())).isEqualTo(selector);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata.name | invalid selector: 'metadata.name'; can't understand 'metadata.name'",
                "metadata.name=a,b | invalid selector: 'metadata.name=a,b'; can't understand 'b'",
                "metadata.name=a\\b | invalid field selector: invalid escape sequence: \\b",
                "metadata.name=a\\ | invalid field selector: invalid escape sequence: \\",
                "metadata.name=a\\😀 | invalid field selector: invalid escape sequence: \\😀",
                "metadata.name=a=b | invalid field selector: unescaped character in value: 61",
                "=a | field label not supported: ",
                " metadata.name=a | field label not supported: metadata.name",
                "metadata.name>a | invalid selector: 'metadata.name>a'; can't understand 'metadata.name>a'",
            })
    void refusesMalformedOnes(String selector, String message) {
        assertThatThrownBy(() ->
                        FieldSelector.parse("pods", selector.equals("metadata.name=a") ? " " + selector : selector))
                .isInstanceOf(SelectorSyntax.class)
                .message()
                .isEqualToNormalizingWhitespace(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pods | field label not supported: data.k",
                "nodes | field label not supported: data.k",
                "namespaces | field label not supported: data.k",
                "services | field label not supported: data.k",
                "secrets | field label not supported: data.k",
                "replicationcontrollers | field label not supported: data.k",
                "events | field label not supported: data.k",
                "events.events.k8s.io | field label not supported: data.k",
                "certificatesigningrequests.certificates.k8s.io | field label not supported: data.k",
                "clustertrustbundles.certificates.k8s.io | field label not supported: data.k",
                "podcertificaterequests.certificates.k8s.io | field label not supported: data.k",
                "widgets.example.com | field label not supported: data.k",
                "jobs.batch | field label \"data.k\" not supported for Job",
                "resourceslices.resource.k8s.io | field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: data.k",
                "configmaps | \"data.k\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"",
                "replicasets.apps | \"data.k\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"",
                "persistentvolumes | \"data.k\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"",
            })
    void refusesAnUnknownLabelInTheWordsOfItsKind(String resource, String message) {
        assertThatThrownBy(() -> FieldSelector.parse(resource, "data.k=v")).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({
        "pods, spec.nodeName spec.host spec.restartPolicy spec.schedulerName spec.serviceAccountName spec.hostNetwork status.phase"
                + " status.podIP status.podIPs status.nominatedNodeName",
        "nodes, spec.unschedulable",
        "namespaces, status.phase",
        "services, spec.clusterIP spec.type",
        "secrets, type",
        "replicationcontrollers, status.replicas",
        "events, involvedObject.kind involvedObject.namespace involvedObject.name involvedObject.uid involvedObject.apiVersion"
                + " involvedObject.resourceVersion involvedObject.fieldPath reason reportingComponent source type",
        "events.events.k8s.io, regarding.kind regarding.namespace regarding.name regarding.uid regarding.apiVersion"
                + " regarding.resourceVersion regarding.fieldPath reason reportingController type",
        "jobs.batch, status.successful",
        "certificatesigningrequests.certificates.k8s.io, spec.signerName",
        "clustertrustbundles.certificates.k8s.io, spec.signerName",
        "podcertificaterequests.certificates.k8s.io, spec.signerName spec.podName spec.nodeName",
        "resourceslices.resource.k8s.io, spec.nodeName spec.driver spec.pool.name",
        "configmaps, metadata.name",
    })
    void acceptsTheLabelsOfItsResource(String resource, String labels) throws SelectorSyntax {
        for (String label : List.of(labels.split(" "))) {
            assertThat(FieldSelector.parse(resource, label + "=v").terms()).hasSize(1);
        }
        assertThat(FieldSelector.parse(resource, "metadata.name=v").terms()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "events.events.k8s.io, source",
        "events.events.k8s.io, involvedObject.kind",
        "events, regarding.kind",
        "replicasets.apps, status.replicas",
        "nodes, metadata.namespace",
        "namespaces, metadata.namespace",
        "certificatesigningrequests.certificates.k8s.io, metadata.namespace",
        "clustertrustbundles.certificates.k8s.io, metadata.namespace",
        "podcertificaterequests.certificates.k8s.io, metadata.namespace",
        "resourceslices.resource.k8s.io, metadata.namespace",
        "keyvalues.watershed.io, metadata.namespace",
    })
    void refusesTheLabelsOfOthers(String resource, String label) {
        assertThatThrownBy(() -> FieldSelector.parse(resource, label + "=v")).isInstanceOf(SelectorSyntax.class);
    }

    @Test
    void acceptsANamespaceForOtherClusterScopedKinds() throws SelectorSyntax {
        assertThat(FieldSelector.parse("persistentvolumes", "metadata.namespace=")
                        .terms())
                .hasSize(1);
    }

    @Test
    void takesTheScopeOfACustomResourceFromItsType() {
        assertThatThrownBy(() -> FieldSelector.parse(FieldLabels.custom(false, List.of()), "metadata.namespace=a"))
                .hasMessage("field label not supported: metadata.namespace");
        assertThatThrownBy(() -> FieldSelector.parse(BuiltInResources.KEY_VALUE, "metadata.namespace=a"))
                .hasMessage("field label not supported: metadata.namespace");
    }

    @ParameterizedTest
    @CsvSource({
        "spec.json.enabled, .spec.json.enabled",
        ".spec.value, .spec.value",
        "a, .a",
        "metadata.name, metadata.name"
    })
    void selectsDocumentsByAnyPath(String label, String key) throws SelectorSyntax {
        assertThat(FieldSelector.parse(BuiltInResources.KEY_VALUE, label + "=x").terms())
                .containsExactly(new FieldSelector.Term(key, true, "x"));
    }

    @Test
    void selectsNamespacedDocumentsByTheirNamespace() throws SelectorSyntax {
        ResourceType flags = ResourceType.document(
                "flags.example.com", "v1", "Flag", "flags", KeyPattern.parse("/flags/{namespace}/{name}"));

        assertThat(FieldSelector.parse(flags, "metadata.namespace=a,enabled!=true")
                        .terms())
                .containsExactly(
                        new FieldSelector.Term(".enabled", false, "true"),
                        new FieldSelector.Term("metadata.namespace", true, "a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a.", "a..b", "..a"})
    void refusesAPathWithoutAName(String path) {
        assertThatThrownBy(() -> FieldSelector.parse(BuiltInResources.KEY_VALUE, path + "=x"))
                .hasMessage("field label not supported: " + path);
    }

    @Test
    void acceptsTheSelectableFieldsOfACustomResource() throws SelectorSyntax {
        FieldLabels labels = FieldLabels.custom(true, List.of(".spec.color", ".spec.size"));

        assertThat(FieldSelector.parse(labels, "spec.color=red,spec.size=5").terms())
                .extracting(FieldSelector.Term::key)
                .containsExactly(".spec.color", ".spec.size");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata.name=a,metadata.namespace=b | metadata.namespace=b,metadata.name=a",
                "metadata.name=a | metadata.name==a",
                "metadata.name=a | metadata.name=a,metadata.name=a",
                "spec.host=n | spec.nodeName=n",
            })
    void equalSelectorsAreEqualObjects(String one, String other) throws SelectorSyntax {
        assertThat(FieldSelector.parse("pods", one))
                .isEqualTo(FieldSelector.parse("pods", other))
                .hasSameHashCodeAs(FieldSelector.parse("pods", other));
    }

    private static boolean matches(String selector, String key, String value) throws SelectorSyntax {
        return FieldSelector.parse("pods", selector).matches(Labelled.fields(key, value));
    }
}
