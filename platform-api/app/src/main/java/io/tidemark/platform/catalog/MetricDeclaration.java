package io.tidemark.platform.catalog;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What somebody said of a metric.
 *
 * @param unit UCUM; empty for as sent
 * @param type null for as sent
 * @param description empty for none
 * @param highCardinalityLabels names of point attributes to be summed away in the ordinary rows,
 *     sorted; none when that is left to measuring
 */
public record MetricDeclaration(
    String unit,
    @Nullable MetricType type,
    String description,
    List<String> highCardinalityLabels,
    MetricLifecycle lifecycle) {

  private static final int LONGEST_UNIT = 63;
  private static final int LONGEST_DESCRIPTION = 1_000;
  private static final int MAX_LABELS = 32;

  /** Nulls are what nothing said means, and no label's name; labels are put in order. */
  public MetricDeclaration {
    unit = unit == null ? "" : unit;
    description = description == null ? "" : description;
    highCardinalityLabels =
        highCardinalityLabels == null
            ? List.of()
            : highCardinalityLabels.stream()
                .map(label -> label == null ? "" : label)
                .distinct()
                .sorted()
                .toList();
    lifecycle = lifecycle == null ? MetricLifecycle.ACTIVE : lifecycle;
  }

  /** One sentence per thing that is wrong. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (unit.length() > LONGEST_UNIT || !isUnit(unit)) {
      faults.add(
          "unit must be UCUM, at most "
              + LONGEST_UNIT
              + " visible ASCII characters with brackets in pairs, as in By, ms or {request}; leave"
              + " it out for the unit as sent.");
    }
    if (description.codePointCount(0, description.length()) > LONGEST_DESCRIPTION
        || description.indexOf('\0') >= 0) {
      faults.add(
          "description must be at most "
              + LONGEST_DESCRIPTION
              + " characters, without the null character.");
    }
    if (highCardinalityLabels.size() > MAX_LABELS) {
      faults.add("high_cardinality_labels must be at most " + MAX_LABELS + ".");
    }
    for (String label : highCardinalityLabels) {
      CatalogName.check("high_cardinality_labels", label, faults);
    }
    return faults;
  }

  /** The form of UCUM: no blanks, brackets in pairs, curly ones not within each other. */
  private static boolean isUnit(String unit) {
    StringBuilder open = new StringBuilder();
    for (char next : unit.toCharArray()) {
      if (next <= ' ' || next > '~') {
        return false;
      }
      char within = open.isEmpty() ? ' ' : open.charAt(open.length() - 1);
      if (within == '{') {
        if (next == '{') {
          return false;
        }
        if (next == '}') {
          open.setLength(open.length() - 1);
        }
      } else if ("{[(".indexOf(next) >= 0) {
        open.append(next);
      } else if ("}])".indexOf(next) >= 0) {
        if ("}])".indexOf(next) != "{[(".indexOf(within)) {
          return false;
        }
        open.setLength(open.length() - 1);
      }
    }
    return open.isEmpty();
  }
}
