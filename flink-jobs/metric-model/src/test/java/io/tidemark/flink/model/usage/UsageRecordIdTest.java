package io.tidemark.flink.model.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UsageRecordIdTest {

  private static final UsageHour HOUR =
      new UsageHour(new UsageSubject("org-a", "env-a", "service", "shop", "cpu"), 0);

  /** Places of batches, as jobs before increments had them, are not places of increments. */
  @Test
  void noTwoPlacesHaveOneId() {
    Set<String> ids = new HashSet<>(List.of(UsageRecordId.of(HOUR, 1, 5)));
    int places = 1;
    for (UsageOrigin origin : UsageOrigin.values()) {
      for (int line = 0; line < 3; line++) {
        ids.add(UsageRecordId.of(HOUR, origin, "increments", 1, 5, line));
        places++;
      }
    }

    assertEquals(places, ids.size());
    assertEquals(
        UsageRecordId.of(HOUR, 1, 5), UsageRecordId.of(HOUR, UsageOrigin.POINTS, "", 1, 5, 0));
  }
}
