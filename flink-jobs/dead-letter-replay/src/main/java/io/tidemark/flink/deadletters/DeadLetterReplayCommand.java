package io.tidemark.flink.deadletters;

import io.tidemark.contracts.deadletter.replay.ReplayPass;
import java.time.Clock;
import java.util.Map;

/**
 * The command. Exit code 0, 1 for wrong arguments; a failure of Kafka ends it with a stack trace.
 */
public final class DeadLetterReplayCommand {

  private DeadLetterReplayCommand() {}

  public static void main(String[] arguments) {
    ReplayArguments parsed;
    try {
      parsed = ReplayArguments.parse(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(1);
      return;
    }
    print(new KafkaReplay(parsed, Clock.systemUTC()).run(), parsed.isExecuted());
  }

  private static void print(Map<ReplayPass.Outcome, ReplayPass.Count> counts, boolean isExecuted) {
    System.out.println("organisation  reason  fate: dead letters, points");
    counts.forEach(
        (what, count) ->
            System.out.println(
                (isExecuted
                        ? what.toString().replace(ReplayPass.Fate.REPLAY.phrase(), "replayed")
                        : what)
                    + ": "
                    + count.letters()
                    + ", "
                    + count.points()));
    if (counts.isEmpty()) {
      System.out.println("No dead letter fits.");
    } else if (!isExecuted) {
      System.out.println("Nothing was written. Add EXECUTE=1 to replay.");
    }
  }
}
