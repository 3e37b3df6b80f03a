package io.watershed.e2e;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.slf4j.Logger;

/** The arrows between modules and packages: ingester → broker-adapter ← gateway, and a library has one home. */
@AnalyzeClasses(packages = "io.watershed", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule theLogKnowsNeitherOfItsSides = noClasses()
            .that()
            .resideInAnyPackage("io.watershed.log..", "io.watershed.config..", "io.watershed.catalogue..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.watershed.ingest..", "io.watershed.gateway..", "io.watershed.quickstart..");

    @ArchTest
    static final ArchRule theIngesterDoesNotKnowTheGateway = noClasses()
            .that()
            .resideInAPackage("io.watershed.ingest..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.watershed.gateway..", "io.watershed.quickstart..");

    @ArchTest
    static final ArchRule theGatewayDoesNotKnowTheIngester = noClasses()
            .that()
            .resideInAPackage("io.watershed.gateway..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.watershed.ingest..", "io.watershed.quickstart..");

    @ArchTest
    static final ArchRule onlyOnePackageSpeaksToEtcd = noClasses()
            .that()
            .resideOutsideOfPackage("io.watershed.ingest.etcd..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.etcd..", "io.grpc..", "com.google.protobuf..");

    @ArchTest
    static final ArchRule onlyOnePackageSpeaksToKafka = noClasses()
            .that()
            .resideOutsideOfPackage("io.watershed.log.kafka..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.kafka.clients..");

    @ArchTest
    static final ArchRule onlyTheServerKnowsVertx = noClasses()
            .that()
            .resideOutsideOfPackages("io.watershed.gateway", "io.watershed.gateway.http..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.vertx..");

    @ArchTest
    static final ArchRule whatAReaderMakesOfRecordsIsPure = noClasses()
            .that()
            .resideInAnyPackage("io.watershed.log", "io.watershed.log.state..", "io.watershed.log.codec..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.net..", "java.nio.file..", "io.watershed.log.kafka..", "org.slf4j..");

    @ArchTest
    static final ArchRule theApisShapesNeedNoServer = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.watershed.gateway.api..", "io.watershed.gateway.select..", "io.watershed.gateway.cache..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.watershed.gateway.http..", "io.netty..", "io.vertx..");

    @ArchTest
    static final ArchRule packagesSayWhatTheyDo = noClasses()
            .should()
            .resideInAnyPackage(
                    "..util..",
                    "..utils..",
                    "..helper..",
                    "..common..",
                    "..misc..",
                    "..impl..",
                    "..base..",
                    "..manager..",
                    "..core..");

    @ArchTest
    static final ArchRule packagesOfAModuleDoNotTurnInCircles =
            slices().matching("io.watershed.(*).(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule loggersAreNamedAlike =
            fields().that().haveRawType(Logger.class).should().haveName("LOGGER");
}
