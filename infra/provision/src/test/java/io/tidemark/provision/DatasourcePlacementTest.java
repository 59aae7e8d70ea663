package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which placements may be declared. */
class DatasourcePlacementTest {
  private static final DatasourcePlacement PLACEMENT =
      new DatasourcePlacement("org-large", "large", Instant.parse("2026-12-01T00:00:00Z"));

  @TempDir private Path root;

  private List<DatasourcePlacement> declared(String text) throws IOException {
    Path file = root.resolve("infra").resolve(DatasourcePlacement.FILE);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return DatasourcePlacement.declared(new InfraFiles(root));
  }

  private static String one(String organization, String name, String from) {
    return "{\"organization_id\":\"%s\",\"name\":\"%s\",\"from\":\"%s\"}"
        .formatted(organization, name, from);
  }

  private static final String LARGE = one("org-large", "large", "2026-12-01T00:00:00Z");

  private void assertRefused(String text, String... words) {
    assertThatThrownBy(() -> declared(text))
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("infra/druid/operation/placements.json")
        .hasMessageContainingAll(words);
  }

  @Test
  void placementsAreAsDeclared() throws Exception {
    assertThat(declared("[]")).isEmpty();
    assertThat(declared("[" + LARGE + "]")).containsExactly(PLACEMENT);
    assertThat(PLACEMENT.datasource("rollup_1m_hc")).isEqualTo("rollup_1m_hc_large");
  }

  @Test
  void whatIsWrongIsToldAllAtOnce() {
    assertRefused("{}", "no list");
    assertRefused(
        "[" + one("Org", "a_b", "2026-12-01T01:00:00Z") + "]", "\"Org\"", "\"a_b\"", "T01:00:00Z");
    assertRefused("[" + one("org-a", "ab", "2026-12-01") + "]", "start of a day");
    assertRefused("[" + one("org-a", "ab", "2026-12-01T00:00:01Z") + "]", "start of a day");
  }

  /** Its rows of minutes would be the detail of everybody. */
  @Test
  void noNameIsThatOfALevel() {
    assertRefused("[" + one("org-a", "hc", "2026-12-01T00:00:00Z") + "]", "\"hc\"");
  }

  @Test
  void aTenantAndANameAreGivenOnce() {
    assertRefused(
        "[" + LARGE + "," + one("org-large", "other", "2026-12-02T00:00:00Z") + "]",
        "org-large is placed twice");
    assertRefused(
        "[" + LARGE + "," + one("org-b", "large", "2026-12-02T00:00:00Z") + "]", "given twice");
  }

  @Test
  void whatDruidWasToldNeverChanges() {
    Set<DatasourcePlacement> known = Set.of(PLACEMENT);
    assertThatCode(() -> DatasourcePlacement.refuseChanges(List.of(PLACEMENT), known))
        .doesNotThrowAnyException();
    DatasourcePlacement later =
        new DatasourcePlacement("org-large", "large", PLACEMENT.from().plusSeconds(86_400));
    for (List<DatasourcePlacement> declared :
        List.of(List.<DatasourcePlacement>of(), List.of(later))) {
      assertThatThrownBy(() -> DatasourcePlacement.refuseChanges(declared, known))
          .isInstanceOf(ProvisionFailure.class)
          .hasMessageContaining("never changes");
    }
  }

  @Test
  void aMomentIsAheadByAnHour() {
    Instant from = PLACEMENT.from();
    assertThat(PlacementGate.isAhead(PLACEMENT, from.minusSeconds(3_600))).isTrue();
    assertThat(PlacementGate.isAhead(PLACEMENT, from.minusSeconds(3_599))).isFalse();
  }
}
