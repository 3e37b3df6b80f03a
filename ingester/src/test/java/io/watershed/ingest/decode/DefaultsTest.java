package io.watershed.ingest.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.catalogue.BuiltInResources;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefaultsTest {
    private static Map<String, @Nullable Object> tree(String json) {
        return Objects.requireNonNull(
                new JsonTree().parseObject(json.replace('\'', '"').getBytes(UTF_8)), json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "pods | {'spec':{'serviceAccount':'sa'},'status':{'podIP':'10.0.0.1'}} | {'spec':{'serviceAccount':'sa','restartPolicy':'Always',"
                        + "'schedulerName':'default-scheduler','dnsPolicy':'ClusterFirst','serviceAccountName':'sa'},"
                        + "'status':{'podIP':'10.0.0.1','podIPs':[{'ip':'10.0.0.1'}]}}",
                "pods | {'spec':{'restartPolicy':'Never','schedulerName':'s','dnsPolicy':'None','serviceAccountName':'a','serviceAccount':'b'},"
                        + "'status':{'podIP':'::1','podIPs':[{'ip':'::1'},{'ip':'10.0.0.1'}]}} | {'spec':{'restartPolicy':'Never','schedulerName':'s',"
                        + "'dnsPolicy':'None','serviceAccountName':'a','serviceAccount':'b'},'status':{'podIP':'::1','podIPs':[{'ip':'::1'},{'ip':'10.0.0.1'}]}}",
                "services | {'spec':{'clusterIP':'10.96.7.7','ports':[{'port':80},{'port':90,'targetPort':'web','protocol':'UDP'},{'port':5,'targetPort':0}]}}"
                        + " | {'spec':{'clusterIP':'10.96.7.7','ports':[{'port':80,'protocol':'TCP','targetPort':80},"
                        + "{'port':90,'targetPort':'web','protocol':'UDP'},{'port':5,'targetPort':5,'protocol':'TCP'}],'sessionAffinity':'None',"
                        + "'type':'ClusterIP','clusterIPs':['10.96.7.7'],'internalTrafficPolicy':'Cluster','ipFamilies':['IPv4'],'ipFamilyPolicy':'SingleStack'}}",
                "services | {'spec':{'type':'ClusterIP','sessionAffinity':'None','clusterIP':'fd00::1','clusterIPs':['fd00::1','10.0.0.1'],'internalTrafficPolicy':'Local'}}"
                        + " | {'spec':{'type':'ClusterIP','sessionAffinity':'None','clusterIP':'fd00::1','clusterIPs':['fd00::1','10.0.0.1'],'internalTrafficPolicy':'Local',"
                        + "'ipFamilies':['IPv6','IPv4'],'ipFamilyPolicy':'RequireDualStack'}}",
                "services | {'spec':{'clusterIP':'None','selector':{'a':'b'}}} | {'spec':{'clusterIP':'None','selector':{'a':'b'},'sessionAffinity':'None',"
                        + "'type':'ClusterIP','clusterIPs':['None'],'internalTrafficPolicy':'Cluster','ipFamilies':['IPv4'],'ipFamilyPolicy':'SingleStack'}}",
                "services | {'spec':{'clusterIP':'None'}} | {'spec':{'clusterIP':'None','sessionAffinity':'None','type':'ClusterIP','clusterIPs':['None'],"
                        + "'internalTrafficPolicy':'Cluster','ipFamilies':['IPv4','IPv6'],'ipFamilyPolicy':'RequireDualStack'}}",
                "services | {'spec':{'type':'ExternalName','externalName':'x','sessionAffinity':'None','internalTrafficPolicy':'Cluster'}}"
                        + " | {'spec':{'type':'ExternalName','externalName':'x','sessionAffinity':'None'}}",
                "nodes | {'spec':{'podCIDR':'10.1.0.0/24'}} | {'spec':{'podCIDR':'10.1.0.0/24','podCIDRs':['10.1.0.0/24']}}",
                "nodes | {'spec':{}} | {'spec':{}}",
                "nodes | {} | {}",
                "secrets | {} | {'type':'Opaque'}",
                "secrets | {'type':'x/y'} | {'type':'x/y'}",
                "namespaces | {'status':{}} | {'status':{'phase':'Active'}}",
                "namespaces | {'status':{'phase':'Terminating'}} | {'status':{'phase':'Terminating'}}",
                "deployments.apps | {'spec':{}} | {'spec':{'replicas':1}}",
                "deployments.apps | {'spec':{'replicas':0}} | {'spec':{'replicas':0}}",
                "statefulsets.apps | {'spec':{'volumeClaimTemplates':[{'spec':{}}]}} | {'spec':{'replicas':1,'volumeClaimTemplates':"
                        + "[{'spec':{},'kind':'PersistentVolumeClaim','apiVersion':'v1'}]}}",
                "replicationcontrollers | {'spec':{'replicas':null}} | {'spec':{'replicas':1}}",
                "jobs.batch | {'spec':{}} | {'spec':{'completions':1,'parallelism':1}}",
                "jobs.batch | {'spec':{'parallelism':3}} | {'spec':{'parallelism':3}}",
                "jobs.batch | {'spec':{'completions':3}} | {'spec':{'completions':3,'parallelism':1}}",
                "storageclasses.storage.k8s.io | {'provisioner':'p'} | {'provisioner':'p','reclaimPolicy':'Delete','volumeBindingMode':'Immediate'}",
                "persistentvolumes | {'spec':{}} | {'spec':{'volumeMode':'Filesystem'},'status':{'phase':'Pending'}}",
                "persistentvolumeclaims | {'spec':{'volumeMode':'Block'},'status':{'phase':'Bound'}} | {'spec':{'volumeMode':'Block'},'status':{'phase':'Bound'}}",
                "configmaps | {} | {}",
            })
    void whatOldObjectsLackIsFilledInAsKubeApiserverDoes(String resource, String stored, String expected) {
        Map<String, @Nullable Object> object = tree(stored);

        Defaults.apply(BuiltInResources.byResource(resource).orElseThrow(), object);

        assertThat(object).isEqualTo(tree(expected));
    }
}
