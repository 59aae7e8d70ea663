package io.tidemark.flink.lake.rows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.transforms.Transforms;
import org.apache.iceberg.types.Comparators;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SerializableFunction;

/** The series met so far, by a small number each, and the order in which their rows are written. */
final class SeriesOrder {

  private static final Comparator<CharSequence> TEXT = Comparators.charSequences();

  private final SerializableFunction<CharSequence, Integer> bucketOf;
  private final List<LakeSeries> series = new ArrayList<>();
  private final List<Integer> buckets = new ArrayList<>();
  private final Map<String, Integer> bucketOfTenant = new HashMap<>();
  private int[] ranks = new int[0];
  private int[] ranked = new int[0];

  /**
   * @param tenantBuckets the table's number of tenant buckets
   */
  SeriesOrder(int tenantBuckets) {
    this.bucketOf = Transforms.<CharSequence>bucket(tenantBuckets).bind(Types.StringType.get());
  }

  int size() {
    return series.size();
  }

  int add(LakeSeries added) {
    series.add(added);
    buckets.add(bucketOfTenant.computeIfAbsent(added.organizationId(), bucketOf::apply));
    return series.size() - 1;
  }

  LakeSeries get(int number) {
    return series.get(number);
  }

  int bucket(int number) {
    return buckets.get(number);
  }

  void clear() {
    series.clear();
    buckets.clear();
    ranks = new int[0];
    ranked = new int[0];
  }

  /** Place of every series in the order of writing: tenants of a bucket lie together. */
  int[] ranks() {
    if (ranks.length != series.size()) {
      Integer[] order = new Integer[series.size()];
      for (int i = 0; i < order.length; i++) {
        order[i] = i;
      }
      java.util.Arrays.sort(order, this::compare);
      ranks = new int[order.length];
      ranked = new int[order.length];
      for (int rank = 0; rank < order.length; rank++) {
        ranked[rank] = order[rank];
        ranks[order[rank]] = rank;
      }
    }
    return ranks;
  }

  /** The series at every place; after {@link #ranks}. */
  int[] ranked() {
    return ranked;
  }

  private int compare(int one, int other) {
    int order = Integer.compare(buckets.get(one), buckets.get(other));
    if (order != 0) {
      return order;
    }
    LakeSeries a = series.get(one);
    LakeSeries b = series.get(other);
    order = TEXT.compare(a.organizationId(), b.organizationId());
    order = order != 0 ? order : TEXT.compare(a.metric(), b.metric());
    order = order != 0 ? order : TEXT.compare(a.environmentId(), b.environmentId());
    order = order != 0 ? order : TEXT.compare(a.resourceId(), b.resourceId());
    return order != 0 ? order : a.seriesId().compareTo(b.seriesId());
  }
}
