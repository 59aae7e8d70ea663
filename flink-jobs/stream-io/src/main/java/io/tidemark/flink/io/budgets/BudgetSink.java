package io.tidemark.flink.io.budgets;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.io.ExactlyOnceSinks;
import io.tidemark.flink.io.KeyAndValue;
import io.tidemark.flink.model.budget.Budget;
import io.tidemark.flink.model.budget.BudgetExceeded;
import java.util.Locale;
import org.apache.flink.api.connector.sink2.Sink;

/** The topic of exceeded budgets, exactly once. */
public final class BudgetSink {

  private static final int LARGEST_RECORD = 1_000_000;
  private static final String BUDGET_PREFIX = "BUDGET_";

  private BudgetSink() {}

  public static Sink<BudgetExceeded> of(Brokers brokers, String topic, ExactlyOnce transactions) {
    return ExactlyOnceSinks.sink(
        brokers,
        transactions,
        "budgets",
        LARGEST_RECORD,
        new KeyAndValue<>(topic, BudgetSink::key, BudgetSink::value));
  }

  static byte[] key(BudgetExceeded exceeded) {
    return String.join(
            "/",
            exceeded.organizationId(),
            exceeded.environmentId(),
            exceeded.metric(),
            exceeded.budget().name().toLowerCase(Locale.ROOT))
        .getBytes(UTF_8);
  }

  static byte[] value(BudgetExceeded exceeded) {
    return io.tidemark.contracts.budgets.v1.BudgetExceeded.newBuilder()
        .setOrganizationId(exceeded.organizationId())
        .setEnvironmentId(exceeded.environmentId())
        .setMetric(exceeded.metric())
        .setBudget(wireName(exceeded.budget()))
        .setLimit(exceeded.limit())
        .setObserved(exceeded.observed())
        .setFoldedSeries(exceeded.foldedSeries())
        .setObservedAtUnixMs(exceeded.observedAtUnixMs())
        .build()
        .toByteArray();
  }

  static io.tidemark.contracts.budgets.v1.Budget wireName(Budget budget) {
    return io.tidemark.contracts.budgets.v1.Budget.valueOf(BUDGET_PREFIX + budget.name());
  }
}
