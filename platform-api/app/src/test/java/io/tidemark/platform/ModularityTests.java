package io.tidemark.platform;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModule;
import org.springframework.modulith.core.ApplicationModules;

/** The modules keep their boundaries: public roots only, allowed dependencies only, no cycles. */
class ModularityTests {

  private final ApplicationModules modules = ApplicationModules.of(PlatformApplication.class);

  @Test
  void modulesKeepTheirBoundaries() {
    modules.verify();
  }

  @Test
  void modulesAreTheAgreedOnes() {
    assertThat(modules.stream().map(ApplicationModule::getIdentifier).map(Object::toString))
        .containsExactlyInAnyOrder(
            "shared",
            "audit",
            "outbox",
            "tenancy",
            "access",
            "signin",
            "console",
            "ingest",
            "query",
            "promql",
            "metricstore",
            "completeness",
            "druid",
            "kafka",
            "loops",
            "quotas",
            "replicas",
            "catalog",
            "cardinality",
            "lineage",
            "retention",
            "receipts",
            "replay",
            "deletion",
            "dashboards",
            "alerting",
            "notification",
            "rows",
            "billing",
            "usage",
            "selftelemetry",
            "tls",
            "sizing");
  }
}
