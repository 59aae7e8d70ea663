package io.tidemark.flink.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.properties.CanBeAnnotated;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Date;
import java.util.UUID;
import org.jspecify.annotations.NullMarked;

/** Dependency rules of the jobs; each job's ArchitectureTest checks them on its own classes. */
public final class HouseRules {

  private static final String EVERYTHING = "io.tidemark.flink..";

  private HouseRules() {}

  public static JavaClasses productionClasses() {
    return new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .withImportOption(location -> !location.contains("/stream-testing/"))
        .withImportOption(location -> !location.contains("stream-testing-"))
        .importPackages("io.tidemark.flink");
  }

  /** D8: a topology that makes its own environment cannot be run by a test. */
  public static ArchRule onlyJobsTouchTheEnvironment() {
    return noClasses()
        .that()
        .haveSimpleNameNotEndingWith("Job")
        .should()
        .callMethodWhere(isNamed("getExecutionEnvironment", "StreamExecutionEnvironment"))
        .because("only a *Job class is an entry point");
  }

  /** D8: connectors are configured once, where exactly-once is understood. */
  public static ArchRule onlyStreamIoBuildsConnectors() {
    return noClasses()
        .that()
        .resideOutsideOfPackage("io.tidemark.flink.io..")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("org.apache.flink.connector.kafka.sink.KafkaSinkBuilder")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("org.apache.flink.connector.kafka.source.KafkaSourceBuilder")
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.kafka..");
  }

  /** D9: what is visible only for tests is not an interface. */
  public static ArchRule noCallsToMembersForTests() {
    return noClasses()
        .that()
        .resideInAPackage(EVERYTHING)
        .should()
        .accessTargetWhere(
            new DescribedPredicate<>("is @VisibleForTesting") {
              @Override
              public boolean test(com.tngtech.archunit.core.domain.JavaAccess<?> access) {
                AccessTarget target = access.getTarget();
                return target.resolveMember().map(member -> isForTests(member)).orElse(false);
              }
            });
  }

  private static boolean isForTests(CanBeAnnotated member) {
    return member.isAnnotatedWith("org.apache.flink.annotation.VisibleForTesting")
        || member.isAnnotatedWith("com.google.common.annotations.VisibleForTesting");
  }

  /** D13: a name that says nothing collects everything. */
  public static ArchRule packagesSayWhatTheyHold() {
    return noClasses()
        .should()
        .resideInAnyPackage(
            "..util..",
            "..utils..",
            "..common..",
            "..helper..",
            "..helpers..",
            "..misc..",
            "..base..",
            "..manager..")
        .orShould()
        .haveSimpleNameEndingWith("Util")
        .orShould()
        .haveSimpleNameEndingWith("Utils")
        .orShould()
        .haveSimpleNameEndingWith("Helper")
        .orShould()
        .haveSimpleNameEndingWith("Manager");
  }

  /** D14: time comes from the timer service or the data, ids from the data. */
  public static ArchRule timeAndIdsAreGiven() {
    return noClasses()
        .that()
        .resideInAPackage(EVERYTHING)
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(LocalDateTime.class, "now")
        .orShould()
        .callConstructor(Date.class)
        .orShould()
        .callMethod(UUID.class, "randomUUID")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(Math.class, "random");
  }

  /** The model is testable because nothing of an engine reaches it. */
  public static ArchRule modelKnowsOnlyJava() {
    return classes()
        .that()
        .resideInAPackage("io.tidemark.flink.model..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.tidemark.flink.model..", "java..", "org.jspecify..");
  }

  /** What is used does not know its users. */
  public static ArchRule packagesPointOneWay() {
    return CompositeArchRule.of(
            doesNotKnow("io.tidemark.flink.model.panes.combine..", "..model.panes.state.."))
        .and(doesNotKnow("io.tidemark.flink.model.panes", "..model.panes.*.."))
        .and(doesNotKnow("io.tidemark.flink.io.points", "..io.points.*.."))
        .and(doesNotKnow("io.tidemark.flink.io.points.source..", "..io.points.*decode.."))
        .and(doesNotKnow("io.tidemark.flink.io.points.decode..", "..io.points.fastdecode.."));
  }

  private static ArchRule doesNotKnow(String used, String users) {
    return noClasses()
        .that()
        .resideInAPackage(used)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(users);
  }

  /** The compiler checks only what is marked: docs/decisions/0135. */
  public static ArchRule packagesAreNullMarked() {
    return classes()
        .should(
            new ArchCondition<>("be in a package that is @NullMarked") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                events.add(
                    new SimpleConditionEvent(
                        type,
                        type.getPackage().isAnnotatedWith(NullMarked.class),
                        type.getPackageName() + " has no package-info with @NullMarked"));
              }
            });
  }

  private static DescribedPredicate<com.tngtech.archunit.core.domain.JavaMethodCall> isNamed(
      String method, String simpleOwner) {
    return new DescribedPredicate<>("calls " + simpleOwner + "." + method) {
      @Override
      public boolean test(com.tngtech.archunit.core.domain.JavaMethodCall call) {
        JavaClass owner = call.getTargetOwner();
        return call.getName().equals(method) && owner.getSimpleName().equals(simpleOwner);
      }
    };
  }
}
