package io.tidemark.platform;

import static com.tngtech.archunit.lang.conditions.ArchConditions.implement;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Controller;
import org.springframework.stereotype.Repository;
import org.springframework.web.bind.annotation.RestController;

/** The dependency rules of the house that a compiler cannot see. */
@AnalyzeClasses(
    packagesOf = PlatformApplication.class,
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule rulesKnowNoTechnology =
      noClasses()
          .that()
          .resideInAnyPackage("..domain..", "..application..", "io.tidemark.platform.metricstore")
          // A package-info names the module and its interfaces to Spring Modulith.
          .and()
          .doNotHaveSimpleName("package-info")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.springframework..",
              "tools.jackson..",
              "com.fasterxml..",
              "java.sql..",
              "javax.sql..",
              "org.postgresql..",
              "com.google.protobuf..",
              "io.opentelemetry..",
              "io.grpc..",
              "org.apache.kafka..",
              "jakarta..")
          .because("decisions are pure, so that they can be tested and read on their own");

  @ArchTest
  static final ArchRule rulesKnowNoAdapters =
      noClasses()
          .that()
          .resideInAnyPackage("..domain..", "..application..", "io.tidemark.platform.metricstore")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "..postgres..",
              "..caffeine..",
              "..kafka..",
              "..otlp..",
              "..prometheus..",
              "..grpc..",
              "..web..",
              "..druid..",
              "..iceberg..",
              "..micrometer..")
          .because("adapters point inwards");

  @ArchTest
  static final ArchRule domainKnowsNoUseCases =
      noClasses()
          .that()
          .resideInAPackage("..domain..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("..application..");

  @ArchTest
  static final ArchRule wireTypesStayAtTheEdge =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "..web..", "..kafka..", "..ingest.prometheus..", "io.tidemark.contracts..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.tidemark.contracts..")
          .because("generated types change with the contract, rules do not");

  @ArchTest
  static final ArchRule controllersImplementTheContract =
      classes()
          .that()
          .areAnnotatedWith(RestController.class)
          .and()
          .doNotImplement("org.springframework.boot.webmvc.error.ErrorController")
          .should(
              implement(
                  DescribedPredicate.describe(
                      "an interface generated from the contract",
                      (JavaClass type) ->
                          type.getPackageName().startsWith("io.tidemark.contracts."))));

  @ArchTest
  static final ArchRule doorsAndBackgroundWorkBelongToARole =
      classes()
          .that(
              DescribedPredicate.describe(
                  "serve paths or work in the background",
                  (JavaClass type) ->
                      type.isAnnotatedWith(RestController.class)
                          || type.isAnnotatedWith(Controller.class)
                          || (type.isAssignableTo(SmartLifecycle.class)
                              && type.isAnnotatedWith(Component.class))))
          .and()
          .doNotImplement("org.springframework.boot.webmvc.error.ErrorController")
          .and(
              DescribedPredicate.describe(
                  "are not what each process does for its own calls",
                  (JavaClass type) ->
                      !Set.of(
                              "CountExchange",
                              "RowChangeListener",
                              "AuthFailureRecorder",
                              "ApiKeyUsageRecorder",
                              "EvaluationConsumer")
                          .contains(type.getSimpleName())))
          .should()
          .beMetaAnnotatedWith(ConditionalOnRole.class)
          .because("a process of other roles must not do it: see RolesIT");

  @ArchTest
  static final ArchRule repositoriesAskForTheTenantFirst =
      methods()
          .that()
          .areDeclaredInClassesThat()
          .areAnnotatedWith(Repository.class)
          .and()
          .areDeclaredInClassesThat()
          .haveSimpleNameNotStartingWith("CrossTenant")
          .and()
          .areNotPrivate()
          .should(haveTenantFirst())
          .because("nothing may be read or written without saying whose it is");

  @ArchTest
  static final ArchRule namesSayWhatTheyAreFor =
      classes()
          .should()
          .resideOutsideOfPackages(
              "..util..",
              "..utils..",
              "..common..",
              "..helper..",
              "..helpers..",
              "..misc..",
              "..base..",
              "..manager..")
          .andShould()
          .haveNameNotMatching(".*(Util|Utils|Helper|Helpers|Manager|Misc|Base|Common)$");

  @ArchTest
  static final ArchRule timeAndIdentifiersAreInjected =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("io.tidemark.platform.shared.SharedConfiguration")
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(LocalDate.class, "now")
          .orShould()
          .callMethod(LocalDateTime.class, "now")
          .orShould()
          .callMethod(OffsetDateTime.class, "now")
          .orShould()
          .callMethod(ZonedDateTime.class, "now")
          .orShould()
          .callMethod(Clock.class, "systemUTC")
          .orShould()
          .callMethod(Clock.class, "systemDefaultZone")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(UUID.class, "randomUUID")
          .because("tests must own time and identifiers");

  /** The compiler checks only what is marked: docs/decisions/0135. */
  @ArchTest static final ArchRule packagesAreNullMarked = classes().should(beInAMarkedPackage());

  @Test
  void nullMarkRuleFindsAPackageWithoutMark() {
    JavaClasses unmarked = new ClassFileImporter().importClasses(List.class);

    assertThatThrownBy(() -> classes().should(beInAMarkedPackage()).check(unmarked))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("java.util has no package-info with @NullMarked");
  }

  private static ArchCondition<JavaClass> beInAMarkedPackage() {
    return new ArchCondition<>("be in a package that is @NullMarked") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        events.add(
            new SimpleConditionEvent(
                type,
                type.getPackage().isAnnotatedWith(NullMarked.class),
                type.getPackageName() + " has no package-info with @NullMarked"));
      }
    };
  }

  private static ArchCondition<JavaMethod> haveTenantFirst() {
    return new ArchCondition<>("take the TenantId first") {
      @Override
      public void check(JavaMethod method, ConditionEvents events) {
        boolean fits =
            method.getModifiers().contains(JavaModifier.SYNTHETIC)
                || (!method.getRawParameterTypes().isEmpty()
                    && method.getRawParameterTypes().get(0).isEquivalentTo(TenantId.class));
        events.add(new SimpleConditionEvent(method, fits, method.getFullName()));
      }
    };
  }
}
