package io.tidemark.flink.deadletters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.contracts.deadletter.replay.Selection;
import io.tidemark.contracts.deadletter.v1.Reason;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReplayArgumentsTest {

  private static final String[] TOPICS = {
    "--kafka.bootstrap.servers", "localhost:9092",
    "--dead-letters.topic", "letters",
    "--points.topic", "points",
    "--replays.topic", "replays"
  };

  @Test
  void withoutMoreEverythingIsCountedAndNothingWritten() {
    ReplayArguments arguments =
        parse("--organization", "", "--reason", "", "--from", "", "--execute", "");

    assertEquals(
        new Selection("", "", Set.of(), Long.MIN_VALUE, Long.MAX_VALUE), arguments.selection());
    assertEquals(false, arguments.isExecuted());
  }

  @Test
  void readsEverySelection() {
    ReplayArguments arguments =
        parse(
            "--organization", "org-a",
            "--reason", "TOO_LATE,UNKNOWN_TENANT",
            "--from", "1970-01-01T00:00:01Z",
            "--to", "1970-01-01T00:00:02Z",
            "--execute", "1");

    assertEquals(
        new Selection(
            "org-a",
            "",
            Set.of(Reason.REASON_TOO_LATE, Reason.REASON_UNKNOWN_TENANT),
            1_000,
            2_000),
        arguments.selection());
    assertEquals(true, arguments.isExecuted());
  }

  @Test
  void namesEveryFaultAtOnce() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> ReplayArguments.parse("--reason", "LATE", "--from", "yesterday", "--colour"));

    for (String fault :
        new String[] {
          "'LATE' is no reason",
          "--from is 'yesterday'",
          "'--colour' is not known",
          "--replays.topic is missing"
        }) {
      assertTrue(refused.getMessage().contains(fault), fault + " in " + refused.getMessage());
    }
  }

  private static ReplayArguments parse(String... more) {
    return ReplayArguments.parse(
        Stream.concat(Stream.of(TOPICS), Stream.of(more)).toArray(String[]::new));
  }
}
