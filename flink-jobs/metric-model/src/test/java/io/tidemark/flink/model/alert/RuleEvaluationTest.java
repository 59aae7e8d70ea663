package io.tidemark.flink.model.alert;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class RuleEvaluationTest {

  private static final long MINUTE = MinuteTotals.MINUTE_MS;

  private static GroupCount part(int part, long minute, int groups) {
    return new GroupCount("r", 3, part, minute * MINUTE, groups, false);
  }

  @Test
  void partsAddUpAndTheSlowestSaysHowFar() {
    assertEquals(
        new RuleEvaluation("r", 3, 9 * MINUTE, 12, false),
        RuleEvaluation.of("r", List.of(part(0, 10, 5), part(1, 9, 7))));
  }

  @Test
  void aPartThatIsNoneAnyMoreDoesNotCount() {
    assertEquals(
        new RuleEvaluation("r", 3, 10 * MINUTE, 5, false),
        RuleEvaluation.of("r", List.of(part(0, 10, 5), part(1, 7, 7))));
  }
}
