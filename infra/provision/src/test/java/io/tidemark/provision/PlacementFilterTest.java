package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each row is in one datasource, by filters that are read as Druid reads them. */
class PlacementFilterTest {
  private static final Instant FROM = Instant.parse("2026-12-01T00:00:00Z");
  private static final List<DatasourcePlacement> PLACEMENTS =
      List.of(
          new DatasourcePlacement("org-large", "large", FROM),
          new DatasourcePlacement("org-vast", "vast", FROM.plusSeconds(86_400)));

  /** Logic of three values, of which null is the third: as Druid's. */
  private static @Nullable Boolean matches(
      JsonNode filter, @Nullable String organization, long time) {
    switch (filter.path("type").asText()) {
      case "and", "or" -> {
        boolean isAnd = filter.path("type").asText().equals("and");
        Boolean all = isAnd;
        for (JsonNode field : filter.path("fields")) {
          Boolean one = matches(field, organization, time);
          if (one != null && one != isAnd) {
            return one;
          }
          all = one == null ? null : all;
        }
        return all;
      }
      case "not" -> {
        Boolean inner = matches(filter.path("field"), organization, time);
        return inner == null ? null : !inner;
      }
      case "equals" -> {
        assertThat(filter.path("column").asText()).isEqualTo("organization_id");
        return organization == null
            ? null
            : filter.path("matchValue").asText().equals(organization);
      }
      case "null" -> {
        assertThat(filter.path("column").asText()).isEqualTo("organization_id");
        return organization == null;
      }
      case "range" -> {
        assertThat(filter.path("column").asText()).isEqualTo("__time");
        assertThat(filter.path("matchValueType").asText()).isEqualTo("LONG");
        boolean isAbove =
            !filter.has("lower")
                || time > filter.path("lower").asLong()
                || time == filter.path("lower").asLong() && !filter.path("lowerOpen").asBoolean();
        boolean isBelow =
            !filter.has("upper")
                || time < filter.path("upper").asLong()
                || time == filter.path("upper").asLong() && !filter.path("upperOpen").asBoolean();
        return isAbove && isBelow;
      }
      default -> throw new AssertionError("Unknown filter " + filter);
    }
  }

  private static List<String> takenBy(@Nullable String organization, Instant time) {
    List<String> taken = new ArrayList<>();
    if (Boolean.TRUE.equals(
        matches(PlacementFilter.shared(PLACEMENTS), organization, time.toEpochMilli()))) {
      taken.add("shared");
    }
    for (DatasourcePlacement placement : PLACEMENTS) {
      if (Boolean.TRUE.equals(
          matches(PlacementFilter.own(placement), organization, time.toEpochMilli()))) {
        taken.add(placement.name());
      }
    }
    return taken;
  }

  @Test
  void everyRowIsInOneDatasource() {
    for (String organization : Arrays.asList("org-large", "org-vast", "org-other", "", null)) {
      for (int hour = -48; hour <= 48; hour++) {
        for (long ms : new long[] {-1, 0, 1}) {
          Instant time = FROM.plusSeconds(3_600L * hour).plusMillis(ms);
          assertThat(takenBy(organization, time)).as("%s %s", organization, time).hasSize(1);
        }
      }
    }
  }

  @Test
  void rowsFromTheMomentOnAreTheTenantsOwn() {
    assertThat(takenBy("org-large", FROM.minusMillis(1))).containsExactly("shared");
    assertThat(takenBy("org-large", FROM)).containsExactly("large");
    assertThat(takenBy("org-vast", FROM)).containsExactly("shared");
    assertThat(takenBy("org-vast", FROM.plusSeconds(86_400))).containsExactly("vast");
    assertThat(takenBy("org-other", FROM.plusSeconds(86_400))).containsExactly("shared");
    assertThat(takenBy(null, FROM)).containsExactly("shared");
  }
}
