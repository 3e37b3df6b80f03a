package io.watershed.gateway.represent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GroupEventsTest {
    @Test
    void theSameValuesStandUnderTheOtherGroupsNames() {
        String stored = "{'kind':'Event','apiVersion':'v1','metadata':{'resourceVersion':'7','name':'e'},"
                + "'involvedObject':{'kind':'Node'},'reason':'r','message':'m','source':{'component':'c'},"
                + "'firstTimestamp':null,'lastTimestamp':'2026-01-01T00:00:00Z','count':3,'type':'Normal',"
                + "'eventTime':null,'series':{'count':1},'action':'a','related':{},"
                + "'reportingComponent':'rc','reportingInstance':''}";

        assertThat(new String(
                                GroupEvents.INSTANCE.convert(
                                        stored.replace('\'', '"').getBytes(UTF_8)),
                                UTF_8)
                        .replace('"', '\''))
                .isEqualTo(
                        "{'kind':'Event','apiVersion':'events.k8s.io/v1','metadata':{'resourceVersion':'7','name':'e'},"
                                + "'regarding':{'kind':'Node'},'reason':'r','note':'m','deprecatedSource':{'component':'c'},"
                                + "'deprecatedFirstTimestamp':null,'deprecatedLastTimestamp':'2026-01-01T00:00:00Z',"
                                + "'deprecatedCount':3,'type':'Normal','eventTime':null,'series':{'count':1},'action':'a',"
                                + "'related':{},'reportingController':'rc'}");
    }
}
