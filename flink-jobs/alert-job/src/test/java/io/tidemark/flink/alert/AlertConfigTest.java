package io.tidemark.flink.alert;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class AlertConfigTest {

  @Test
  void everyFaultIsNamedAtOnce() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> AlertConfig.parse("--rules.topic", "a b", "--surprise", "1"));

    for (String fault :
        List.of(
            "--rules.topic is 'a b'",
            "'--surprise' is not known",
            "--watermarks.topic is missing",
            "--checkpoint.interval.ms is missing")) {
      assertTrue(refused.getMessage().contains(fault), refused.getMessage());
    }
  }
}
