package io.tidemark.platform.metricstore.druid;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class DruidLoadRulesTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static Optional<Duration> kept(String rules) {
    return DruidLoadRules.kept(JSON.readTree(rules)).period();
  }

  private static Optional<Duration> days(int days) {
    return Optional.of(Duration.ofDays(days));
  }

  private static String shipped(String file) throws Exception {
    return Files.readString(Path.of("../../infra/druid/operation", file));
  }

  @Test
  void theShippedRulesKeepMinutesForThirtyDaysAndHoursAndDaysForEver() throws Exception {
    assertThat(kept(shipped("load-rules-minutes.json"))).isEqualTo(days(30));
    assertThat(kept(shipped("load-rules.json"))).isEmpty();
  }

  @Test
  void whatIsKeptEndsWhereTheFirstRuleDrops() {
    String hot = "{\"type\":\"loadByPeriod\",\"period\":\"PT6H\"}";
    String month = "{\"type\":\"loadByPeriod\",\"period\":\"P30D\"}";
    String drop = "{\"type\":\"dropForever\"}";
    String forever = "{\"type\":\"loadForever\"}";
    assertThat(kept("[" + hot + "," + month + "," + drop + "," + forever + "]"))
        .isEqualTo(days(30));
    assertThat(kept("[" + month + "," + hot + "," + drop + "]")).isEqualTo(days(30));
    assertThat(kept("[" + month + "]")).isEqualTo(days(30));
    assertThat(kept("[" + drop + "," + forever + "]")).isEqualTo(days(0));
    assertThat(kept("[{\"type\":\"dropBeforeByPeriod\",\"period\":\"P90D\"}," + forever + "]"))
        .isEqualTo(days(90));
    assertThat(
            kept("[" + month + ",{\"type\":\"dropByPeriod\",\"period\":\"P90D\"}," + forever + "]"))
        .isEqualTo(days(30));
    assertThat(kept("[{\"type\":\"loadByPeriod\",\"period\":\"P1M\"}," + drop + "]"))
        .isEqualTo(days(28));
    assertThat(kept("[{\"type\":\"somethingNew\"}," + forever + "]")).isEqualTo(days(0));
  }
}
