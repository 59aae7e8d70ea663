package io.tidemark.platform.access.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingKeys;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BootstrapKeysTest {

  @Test
  void withoutTextsNobodyIsMade() {
    assertThat(BootstrapKeys.grants("", "", "")).isEmpty();
  }

  @Test
  void theOwnAndTheDemoKeyMayDoEverythingAndExtraKeysUseTheirOwnMetrics() {
    var grants =
        BootstrapKeys.grants(
            TestingKeys.key("env-self", 'A'),
            TestingKeys.key("env-demo", 'B'),
            "org-c=" + TestingKeys.key("env-c", 'C') + ", org-d=" + TestingKeys.key("env-d", 'D'));
    assertThat(grants)
        .extracting(BootstrapKeys.Grant::organization)
        .containsExactly(
            new TenantId("org-self"),
            new TenantId("org-demo"),
            new TenantId("org-c"),
            new TenantId("org-d"));
    assertThat(grants)
        .extracting(BootstrapKeys.Grant::scopes)
        .containsExactly(
            EnumSet.allOf(Permission.class),
            EnumSet.allOf(Permission.class),
            Set.of(Permission.METRICS_READ, Permission.METRICS_WRITE),
            Set.of(Permission.METRICS_READ, Permission.METRICS_WRITE));
  }

  @Test
  void everyWrongEntryIsNamedByItsPosition() {
    var extra =
        BootstrapKeys.parseExtra(
            "nothing,org-b=tdm_x," + "Org=" + TestingKeys.key("env-c", 'C') + ",");
    assertThat(extra.grants()).isEmpty();
    assertThat(extra.faults()).hasSize(4);
    assertThat(extra.faults().get(1)).startsWith("entry 2: ");
  }
}
