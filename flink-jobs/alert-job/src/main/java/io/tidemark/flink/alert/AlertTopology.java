package io.tidemark.flink.alert;

import static io.tidemark.flink.io.StreamNames.named;

import io.tidemark.flink.alert.match.SignalMinute;
import io.tidemark.flink.alert.operator.EvaluatedHourCollector;
import io.tidemark.flink.alert.operator.EvaluationLedger;
import io.tidemark.flink.alert.operator.GroupEvaluator;
import io.tidemark.flink.alert.operator.OpenMinuteMatcher;
import io.tidemark.flink.alert.operator.RowMatcher;
import io.tidemark.flink.io.checkpoint.CheckpointRequesterFactory;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.live.LiveRecord;
import io.tidemark.flink.io.rows.RowBundle;
import io.tidemark.flink.model.alert.AlertTransition;
import io.tidemark.flink.model.alert.EvaluatedHour;
import io.tidemark.flink.model.alert.EvaluationUsage;
import io.tidemark.flink.model.alert.GroupCount;
import io.tidemark.flink.model.alert.RuleEvaluation;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * The job as a paragraph.
 *
 * <pre>
 *  rules ──────────────┬─ to all ───────────────┐
 *                      ▼                        ▼
 *  committed rows ──► match rules ─┬► decide each minute of each group ──► transitions
 *  open minutes ────► match rules ─┘  by signal         ▲         ├─► how far rules are decided
 *  statements of completeness ──────────── to all ──────┘         └─► usage records
 * </pre>
 */
final class AlertTopology {

  /** State is spread over this many key groups; changing it orphans every savepoint. */
  static final int KEY_GROUPS = 128;

  private AlertTopology() {}

  /** What leaves the job. */
  record Outputs(
      DataStream<AlertTransition> transitions,
      DataStream<RuleEvaluation> evaluations,
      DataStream<EvaluationUsage> usage) {}

  /**
   * @param rows with a watermark that follows completeness
   * @param snapshots of open minutes, without event time; records of a key group in their order
   * @param rules control records of rules, without event time
   * @param statements of completeness, without keys, with the watermark that they state
   */
  static Outputs define(
      DataStream<RowBundle> rows,
      DataStream<LiveRecord> snapshots,
      DataStream<ControlRecord> rules,
      DataStream<ControlRecord> statements) {
    DataStream<SignalMinute> minutes =
        named(
            rows.connect(rules.broadcast())
                .transform("match-rules", TypeInformation.of(SignalMinute.class), new RowMatcher()),
            "alert-match-rules",
            "Find the rules that rows concern");
    // As parallel as its source, so that what is known of a series stays beside its partition.
    DataStream<SignalMinute> openMinutes =
        named(
            snapshots
                .connect(rules.broadcast(OpenMinuteMatcher.RULES, OpenMinuteMatcher.RULES_BEFORE))
                .process(new OpenMinuteMatcher(), TypeInformation.of(SignalMinute.class)),
            "alert-match-open-minutes",
            "Find the rules that open minutes concern");
    SingleOutputStreamOperator<AlertTransition> decided =
        minutes
            .union(openMinutes)
            .keyBy(SignalMinute::signal, Types.STRING)
            .connect(rules.union(statements).broadcast())
            .transform("decide", TypeInformation.of(AlertTransition.class), new GroupEvaluator());
    DataStream<AlertTransition> transitions =
        named(
            named(decided, "alert-decide-signals", "Decide each complete minute of each group")
                .transform(
                    "request-checkpoint",
                    TypeInformation.of(AlertTransition.class),
                    new CheckpointRequesterFactory<>()),
            "alert-request-checkpoint",
            "Ask for a checkpoint, with which transitions are seen");
    DataStream<RuleEvaluation> evaluations =
        named(
            decided
                .getSideOutput(GroupEvaluator.COUNTS)
                .keyBy(GroupCount::rule, Types.STRING)
                .process(new EvaluationLedger(), TypeInformation.of(RuleEvaluation.class)),
            "alert-ledger",
            "Say how far each rule is decided");
    DataStream<EvaluationUsage> usage =
        named(
            decided
                .getSideOutput(GroupEvaluator.EVALUATED)
                .keyBy(EvaluatedHour::subject, Types.STRING)
                .process(new EvaluatedHourCollector(), TypeInformation.of(EvaluationUsage.class)),
            "alert-evaluated-hours",
            "Collect the evaluations of an hour into usage records");
    return new Outputs(transitions, evaluations, usage);
  }
}
