package io.tidemark.flink.io.alerts;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.io.ExactlyOnceSinks;
import io.tidemark.flink.io.KeyAndValue;
import io.tidemark.flink.model.alert.RuleEvaluation;
import org.apache.flink.api.connector.sink2.Sink;

/** The topic of evaluations, exactly once; events/tidemark/alerts/v1/evaluation.proto. */
public final class EvaluationSink {

  private static final int LARGEST_RECORD = 100_000;
  private static final int PARTS_OF_KEY = 3;

  private EvaluationSink() {}

  public static Sink<RuleEvaluation> of(Brokers brokers, String topic, ExactlyOnce transactions) {
    return ExactlyOnceSinks.sink(
        brokers,
        transactions,
        "evaluations",
        LARGEST_RECORD,
        new KeyAndValue<>(topic, EvaluationSink::key, EvaluationSink::value));
  }

  static byte[] key(RuleEvaluation evaluation) {
    return evaluation.rule().getBytes(UTF_8);
  }

  /** Null, which removes the key from the topic, for a rule that is gone. */
  @SuppressWarnings("NullAway")
  static byte[] value(RuleEvaluation evaluation) {
    if (evaluation.isGone()) {
      return null;
    }
    String[] key = evaluation.rule().split("/", PARTS_OF_KEY);
    return io.tidemark.contracts.alerts.v1.RuleEvaluation.newBuilder()
        .setOrganizationId(key[0])
        .setEnvironmentId(key[1])
        .setRuleId(key[2])
        .setRuleVersion(evaluation.version())
        .setDecidedUntilUnixMs(evaluation.decidedUntil())
        .setGroups(evaluation.groups())
        .setBehind(evaluation.behind())
        .build()
        .toByteArray();
  }
}
