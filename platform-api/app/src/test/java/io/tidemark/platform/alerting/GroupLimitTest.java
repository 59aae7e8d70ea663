package io.tidemark.platform.alerting;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import org.junit.jupiter.api.Test;

class GroupLimitTest {

  @Test
  void aRuleMoreIsRefusedAndToldWhatToDo() {
    assertDoesNotThrow(() -> GroupLimit.check(0));
    assertDoesNotThrow(() -> GroupLimit.check(GroupLimit.MAX_GROUPS - 1));

    ProblemException refused =
        assertThrows(ProblemException.class, () -> GroupLimit.check(GroupLimit.MAX_GROUPS + 5));
    assertEquals(ErrorCode.CONFLICT, refused.code());
    String why = refused.details().get(0);
    assertTrue(why.contains("200,005 groups") && why.contains("200,000 are the most"), why);
    assertTrue(why.contains("delete or disable a rule"), why);
  }
}
