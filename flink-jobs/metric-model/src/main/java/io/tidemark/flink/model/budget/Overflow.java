package io.tidemark.flink.model.budget;

import io.tidemark.flink.model.series.SeriesDescriptor;
import java.util.Map;

/**
 * The series that others are folded into. It keeps as much of their names as there is room for: a
 * tenant may also make up metrics and resources without end, so there are three depths.
 */
public enum Overflow {
  /** One series per metric, unit, kind and resource. */
  RESOURCE,
  /** One per metric, unit and kind. */
  METRIC,
  /** One per kind; at most six for an environment. */
  TENANT;

  public static final String LABEL = "tidemark.overflow";
  private static final String VALUE = "true";
  private static final Map<String, String> LABELS = Map.of(LABEL, VALUE);

  /** Metric name of what overflows even the overflow of metrics. */
  public static final String ANY_METRIC = "tidemark.overflow";

  private static final Overflow[] DEPTHS = values();

  /** Overflow series that an environment may have besides its budget: a quarter, and these. */
  private static final long FREE = 4_096;

  public SeriesDescriptor of(SeriesDescriptor folded) {
    return switch (this) {
      case RESOURCE -> series(folded, folded.metric(), folded.unit(), folded.resource());
      case METRIC -> series(folded, folded.metric(), folded.unit(), Map.of());
      case TENANT -> series(folded, ANY_METRIC, "", Map.of());
    };
  }

  /** The shallowest depth at which the overflow of a series keeps the limits of its labels. */
  public static Overflow of(SeriesDescriptor folded, TenantLimits limits) {
    int length = limits.labelValueLength();
    if (folded.metric().length() > length || folded.unit().length() > length) {
      return TENANT;
    }
    Map<String, String> resource = folded.resource();
    boolean isResourceKept =
        resource.size() < limits.labelsPerSeries() && Excess.longest(resource) <= length;
    return isResourceKept ? RESOURCE : METRIC;
  }

  public static boolean isOverflow(SeriesDescriptor series) {
    return series.attributes().equals(LABELS);
  }

  /** Of an overflow series. */
  public static Overflow depthOf(SeriesDescriptor overflow) {
    if (!overflow.resource().isEmpty()) {
      return RESOURCE;
    }
    return overflow.metric().equals(ANY_METRIC) ? TENANT : METRIC;
  }

  public Overflow deeper() {
    return DEPTHS[Math.min(ordinal() + 1, TENANT.ordinal())];
  }

  /** How many series of this depth an environment may have. */
  public long most(TenantLimits limits) {
    return this == TENANT ? Long.MAX_VALUE : FREE + limits.activeSeries() / 4;
  }

  private static SeriesDescriptor series(
      SeriesDescriptor folded, String metric, String unit, Map<String, String> resource) {
    return new SeriesDescriptor(
        folded.organizationId(),
        folded.environmentId(),
        metric,
        folded.kind(),
        unit,
        resource,
        LABELS);
  }
}
