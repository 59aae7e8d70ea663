package io.tidemark.provision;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.tidemark");

  static Stream<ArchRule> rules() {
    return Stream.of(
        noClasses()
            .should()
            .dependOnClassesThat(
                resideInAPackage("io.tidemark..")
                    .and(resideOutsideOfPackage("io.tidemark.provision..")))
            .because("the lifecycle, Compose and the chart use provisioning, not the reverse"),
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName(ProvisionCommand.class.getName())
            .should()
            .callMethod(System.class, "exit", int.class)
            .orShould()
            .callMethod(System.class, "getenv")
            .orShould()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .because("a library is told its settings and tells its progress"),
        noClasses()
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(UUID.class, "randomUUID")
            .because("moments and ids are given; nanoTime measures patience only"),
        noClasses()
            .that()
            .haveSimpleNameNotStartingWith("Broker")
            .and()
            .doNotHaveSimpleName("RestoredDatabase")
            .and()
            .doNotHaveSimpleName("TopicCut")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.kafka.clients..")
            .because("topics are decided without a broker"));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void holds(ArchRule rule) {
    rule.check(CLASSES);
  }

  @Test
  void theCommandIsSeen() {
    Assertions.assertTrue(CLASSES.contain(ProvisionCommand.class.getName()));
  }
}
