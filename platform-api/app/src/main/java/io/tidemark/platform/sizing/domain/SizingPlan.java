package io.tidemark.platform.sizing.domain;

import java.math.BigDecimal;
import java.util.List;

/**
 * What a load needs.
 *
 * @param rows a second, into Druid's minutes
 * @param produced MB/s into Kafka
 * @param consumed MB/s out of Kafka, to consumer groups
 * @param replicated MB/s between brokers
 * @param slots of the rollup job
 * @param lakeGigabytes in object storage
 * @param segmentGigabytes of Druid's deep storage, in object storage
 * @param zoneGigabytes a month between zones
 * @param objectStorageCost of a month
 * @param zoneTrafficCost of a month
 * @param limits of the configuration that the load does not fit into, a sentence each
 */
public record SizingPlan(
    List<SizingPart> parts,
    double rows,
    double produced,
    double consumed,
    double replicated,
    long slots,
    double lakeGigabytes,
    double segmentGigabytes,
    double zoneGigabytes,
    BigDecimal objectStorageCost,
    BigDecimal zoneTrafficCost,
    List<String> limits) {

  /** Of a month, everything. */
  public BigDecimal total() {
    return parts.stream()
        .map(SizingPart::cost)
        .reduce(objectStorageCost.add(zoneTrafficCost), BigDecimal::add);
  }

  /** The part that is fullest: what an increase of the load meets before anything else. */
  public SizingPart first() {
    SizingPart fullest = parts.get(0);
    for (SizingPart part : parts) {
      if (part.utilization() > fullest.utilization()) {
        fullest = part;
      }
    }
    return fullest;
  }
}
