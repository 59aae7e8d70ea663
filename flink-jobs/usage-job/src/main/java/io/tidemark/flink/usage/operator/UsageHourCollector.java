package io.tidemark.flink.usage.operator;

import io.tidemark.flink.io.JobMetrics;
import io.tidemark.flink.io.usage.HourlyUsageCollector;
import io.tidemark.flink.model.usage.UsageFlushRule;
import io.tidemark.flink.model.usage.UsageRecordId;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;

/** Makes usage records of units. Keyed by {@link UsageIncrement#key()}. */
public final class UsageHourCollector
    extends HourlyUsageCollector<UsageIncrement, OpenUsage, MeteredUsage> {
  private static final long serialVersionUID = 1L;

  /** Usage records handed to the sink. */
  public static final String USAGE_RECORDS = "usageRecords";

  private transient Counter records;

  public UsageHourCollector(UsageFlushRule rule) {
    super(rule);
  }

  @Override
  public void open(OpenContext context) {
    super.open(context);
    records = JobMetrics.counter(getRuntimeContext().getMetricGroup(), USAGE_RECORDS);
  }

  @Override
  protected ValueStateDescriptor<OpenUsage> openHours() {
    return new ValueStateDescriptor<>("open-usage", TypeInformation.of(OpenUsage.class));
  }

  @Override
  protected OpenUsage first(UsageIncrement increment) {
    return new OpenUsage(increment, 0);
  }

  @Override
  protected MeteredUsage record(OpenUsage open, long now) {
    records.inc();
    UsageIncrement sum = open.sum();
    UsageIncrement.Place place = sum.place();
    String id =
        UsageRecordId.of(
            sum.hour(),
            place.origin(),
            place.topic(),
            place.partition(),
            place.offset(),
            place.line());
    return new MeteredUsage(id, sum, now);
  }
}
