package io.watershed.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.watershed.catalogue.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;

class CustomDefinitionTest {
    private static final String NAMES =
            "'plural':'widgets','kind':'Widget','singular':'widget','listKind':'Widgets','shortNames':['wd'],'categories':['all']";
    private static final String V1 = "{'name':'v1','served':true,'storage':true,'subresources':{'status':{}},"
            + "'selectableFields':[{'jsonPath':'.spec.color'}],'schema':{'openAPIV3Schema':{'type':'object'}}}";
    private static final String V1BETA1 = "{'name':'v1beta1','served':true,'storage':false,'deprecated':true}";
    private static final String ESTABLISHED =
            "'conditions':[{'type':'NamesAccepted','status':'True'},{'type':'Established','status':'True'}]";

    private static CustomDefinition definition(String strategy, String versions, String status) {
        String json = "{'metadata':{'name':'widgets.example.com'},'spec':{'group':'example.com','scope':'Namespaced',"
                + "'names':{" + NAMES + "},'versions':[" + versions + "],'conversion':{'strategy':'" + strategy
                + "'}},'status':{" + status + "}}";
        try {
            return CustomDefinition.of(new ObjectMapper().readTree(json.replace('\'', '"')));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aVersionIsServedUnderTheNamesThatWereAccepted() {
        CustomDefinition definition = definition(
                "None", V1, ESTABLISHED + ",'acceptedNames':{" + NAMES.replace("'shortNames':['wd'],", "") + "}");

        ResourceType type = definition.served().get(0).type();
        assertThat(type.resource()).isEqualTo("widgets.example.com").isEqualTo(definition.resource());
        assertThat(type.apiVersion()).isEqualTo("example.com/v1");
        assertThat(type.listKind()).isEqualTo("Widgets");
        assertThat(type.hasStatus()).isTrue();
        assertThat(type.namespaced()).isTrue();
        assertThat(type.shortNames()).isEmpty();
        assertThat(type.categories()).containsExactly("all");
        assertThat(definition.served().get(0).selectable()).containsExactly(".spec.color");
        assertThat(definition.served().get(0).warning()).isNull();
    }

    @Test
    void withoutConversionEveryServedVersionIsServedFromWhatIsStored() {
        CustomDefinition definition = definition(
                "None",
                V1 + "," + V1BETA1 + ",{'name':'v0','served':false}",
                ESTABLISHED + ",'storedVersions':['v1','v1beta1']");

        assertThat(definition.served())
                .extracting(version -> version.type().version() + " " + version.converts())
                .containsExactly("v1 true", "v1beta1 true");
        assertThat(definition.storedElsewhere()).isEmpty();
    }

    @Test
    void oneVersionAloneMayGetAnotherWhileItIsWatched() {
        assertThat(definition("None", V1, ESTABLISHED).served())
                .extracting(CustomDefinition.Version::converts)
                .containsExactly(true);
    }

    @Test
    void behindAWebhookOnlyTheStorageVersionIsServed() {
        CustomDefinition definition =
                definition("Webhook", V1 + "," + V1BETA1, ESTABLISHED + ",'storedVersions':['v1beta1','v1']");

        assertThat(definition.served())
                .extracting(version -> version.type().version())
                .containsExactly("v1");
        assertThat(definition.storedElsewhere()).containsExactly("v1beta1");
    }

    @Test
    void aDeprecatedVersionWarnsInItsOwnWordsOrInKubernetes() {
        assertThat(definition("None", V1BETA1, ESTABLISHED).served().get(0).warning())
                .isEqualTo("example.com/v1beta1 Widget is deprecated");
        assertThat(definition(
                                "None",
                                V1BETA1.replace("'deprecated':true", "'deprecated':true,'deprecationWarning':'use v1'"),
                                ESTABLISHED)
                        .served()
                        .get(0)
                        .warning())
                .isEqualTo("use v1");
    }

    @Test
    void nothingIsServedWhileItsNamesAreRefused() {
        assertThat(definition("None", V1, "'conditions':[{'type':'NamesAccepted','status':'False'}]")
                        .served())
                .isEmpty();
        assertThat(definition("None", V1, "'conditions':[{'type':'Established','status':'False'}]")
                        .served())
                .isEmpty();
    }

    @Test
    void oneThatWasWrittenIntoEtcdByHandCounts() {
        assertThat(definition("None", V1, "").served()).hasSize(1);
    }

    @Test
    void definedResourcesTakeThePlaceOfThoseThatObjectsTellOf() {
        CustomDefinition definition = definition("None", V1BETA1 + "," + V1, ESTABLISHED);
        ResourceType seen = new ResourceType(
                "example.com", "v1alpha1", "Widget", "widgets", "widget", true, List.of(), List.of(), "");
        ResourceType other =
                new ResourceType("another.com", "v1", "Thing", "things", "thing", true, List.of(), List.of(), "");

        Resources resources = new Resources(List.of(seen, other), List.of(definition));

        assertThat(resources.groups())
                .containsExactly("authentication.k8s.io", "authorization.k8s.io", "another.com", "example.com");
        assertThat(resources.versions("example.com")).containsExactly("v1", "v1beta1");
    }
}
