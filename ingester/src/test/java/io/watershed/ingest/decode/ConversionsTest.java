package io.watershed.ingest.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.ingest.decode.StoredVersions.Step;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConversionsTest {
    private static Map<String, @Nullable Object> tree(String json) {
        return Objects.requireNonNull(
                new JsonTree().parseObject(json.replace('\'', '"').getBytes(UTF_8)), json);
    }

    private static void assertConverted(Step step, String stored, String expected) {
        Map<String, @Nullable Object> object = tree(stored);
        Conversions.apply(step, object);
        assertThat(object).isEqualTo(tree(expected));
    }

    @Test
    void whatADefinitionSaysForAllVersionsMovesIntoEach() {
        assertConverted(
                Step.CUSTOM_RESOURCE_DEFINITION,
                "{'spec':{'group':'g','version':'v1','scope':'Cluster','names':{'plural':'ws','singular':'w','kind':'W','listKind':'WList'},"
                        + "'validation':{'openAPIV3Schema':{'type':'object'}},'subresources':{'status':{}},"
                        + "'additionalPrinterColumns':[{'name':'A','type':'string','JSONPath':'.spec.a'}],"
                        + "'selectableFields':[{'jsonPath':'.spec.a'}],"
                        + "'versions':[{'name':'v1','served':true,'storage':true},{'name':'v2','served':true,'storage':false}],"
                        + "'conversion':{'strategy':'None'},'preserveUnknownFields':false},'status':{'storedVersions':['v1']}}",
                "{'spec':{'group':'g','scope':'Cluster','names':{'plural':'ws','singular':'w','kind':'W','listKind':'WList'},"
                        + "'versions':["
                        + "{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object'}},'subresources':{'status':{}},"
                        + "'additionalPrinterColumns':[{'name':'A','type':'string','jsonPath':'.spec.a'}],'selectableFields':[{'jsonPath':'.spec.a'}]},"
                        + "{'name':'v2','served':true,'storage':false,'schema':{'openAPIV3Schema':{'type':'object'}},'subresources':{'status':{}},"
                        + "'additionalPrinterColumns':[{'name':'A','type':'string','jsonPath':'.spec.a'}],'selectableFields':[{'jsonPath':'.spec.a'}]}],"
                        + "'conversion':{'strategy':'None'}},'status':{'storedVersions':['v1']}}");
    }

    @Test
    void oldestDefinitionsGetTheirDefaultsAndAVersion() {
        assertConverted(
                Step.CUSTOM_RESOURCE_DEFINITION,
                "{'spec':{'group':'g','version':'v1','names':{'plural':'ws','kind':'W'}}}",
                "{'spec':{'group':'g','scope':'Namespaced','names':{'plural':'ws','singular':'w','kind':'W','listKind':'WList'},"
                        + "'versions':[{'name':'v1','served':true,'storage':true}],'conversion':{'strategy':'None'},"
                        + "'preserveUnknownFields':true},'status':{'storedVersions':['v1']}}");
    }

    @Test
    void definitionsVersionsKeepWhatIsTheirOwn() {
        assertConverted(
                Step.CUSTOM_RESOURCE_DEFINITION,
                "{'spec':{'scope':'Namespaced','names':{'singular':'w','kind':'W','listKind':'L'},'preserveUnknownFields':false,"
                        + "'versions':[{'name':'v1','storage':true,'schema':{'a':1},'additionalPrinterColumns':[{'JSONPath':'.x'}]},"
                        + "{'name':'v2','schema':{'b':2}}],'conversion':{'strategy':'Webhook','webhookClientConfig':"
                        + "{'service':{'name':'s','namespace':'n'}},'conversionReviewVersions':['v1']}},'status':{'storedVersions':['v2']}}",
                "{'spec':{'scope':'Namespaced','names':{'singular':'w','kind':'W','listKind':'L'},"
                        + "'versions':[{'name':'v1','storage':true,'schema':{'a':1},'additionalPrinterColumns':[{'jsonPath':'.x'}]},"
                        + "{'name':'v2','schema':{'b':2}}],'conversion':{'strategy':'Webhook','webhook':"
                        + "{'clientConfig':{'service':{'name':'s','namespace':'n','port':443}},'conversionReviewVersions':['v1']}}},"
                        + "'status':{'storedVersions':['v2']}}");
    }

    @Test
    void eventOfItsOwnGroupHasTheNamesOfV1() {
        assertConverted(
                Step.EVENT,
                "{'eventTime':'2020-01-01T00:00:00.000000Z','note':'n','reason':'r','regarding':{'kind':'Pod','name':'p'},'type':'Normal',"
                        + "'reportingController':'x','deprecatedCount':3,'deprecatedSource':{'host':'h'},'deprecatedLastTimestamp':'t'}",
                "{'eventTime':'2020-01-01T00:00:00.000000Z','message':'n','reason':'r','involvedObject':{'kind':'Pod','name':'p'},"
                        + "'type':'Normal','reportingComponent':'x','reportingInstance':'','count':3,'source':{'host':'h'},"
                        + "'firstTimestamp':null,'lastTimestamp':'t'}");
    }

    @Test
    void ingressNamesItsServicesAsV1Does() {
        assertConverted(
                Step.INGRESS,
                "{'spec':{'backend':{'serviceName':'s','servicePort':80},'rules':[{'host':'h','http':{'paths':["
                        + "{'path':'/a','backend':{'serviceName':'t','servicePort':'web'}},"
                        + "{'path':'/b','pathType':'Prefix','backend':{'resource':{'kind':'K','name':'n'},'servicePort':0}}]}},{'host':'i'}]}}",
                "{'spec':{'defaultBackend':{'service':{'name':'s','port':{'number':80}}},'rules':[{'host':'h','http':{'paths':["
                        + "{'path':'/a','pathType':'ImplementationSpecific','backend':{'service':{'name':'t','port':{'name':'web'}}}},"
                        + "{'path':'/b','pathType':'Prefix','backend':{'resource':{'kind':'K','name':'n'}}}]}},{'host':'i'}]},"
                        + "'status':{'loadBalancer':{}}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "{} | {'matchExpressions':[{'key':'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match','operator':'Exists'}]}",
                "{'matchExpressions':[{'key':'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match','operator':'DoesNotExist'}]} | {}",
                "{'matchLabels':{'a':'b'}} | {'matchLabels':{'a':'b'}}",
                "{'matchLabels':{'a':'b'},'matchExpressions':[{'key':'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match','operator':'Exists'}]}"
                        + " | {'matchLabels':{'a':'b'}}",
            })
    void emptySelectorOfADisruptionBudgetStillMatchesNothing(String selector, String expected) {
        assertConverted(
                Step.DISRUPTION_BUDGET,
                "{'spec':{'minAvailable':1,'selector':" + selector + "}}",
                "{'spec':{'minAvailable':1,'selector':" + expected + "}}");
    }

    @Test
    void disruptionBudgetWithoutSelectorStaysWithout() {
        assertConverted(Step.DISRUPTION_BUDGET, "{'spec':{'minAvailable':1}}", "{'spec':{'minAvailable':1}}");
    }

    @Test
    void certificateRequestLosesWhatV1NoLongerHas() {
        assertConverted(
                Step.CERTIFICATE_REQUEST,
                "{'spec':{'signerName':'s','pkixPublicKey':'AA==','proofOfPossession':'AA==','stubPKCS10Request':'AQ=='}}",
                "{'spec':{'signerName':'s','stubPKCS10Request':'AQ=='}}");
    }
}
