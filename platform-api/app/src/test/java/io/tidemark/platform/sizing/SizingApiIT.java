package io.tidemark.platform.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Sizing over HTTP. */
@ExtendWith(RunningPlatform.Extension.class)
class SizingApiIT {

  private final RunningPlatform platform;
  private final ControlApi demo;

  SizingApiIT(RunningPlatform platform) {
    this.platform = platform;
    // A key whose scopes are metrics:write and metrics:read: no permission is needed.
    this.demo = new ControlApi(platform, "org-extra", RunningPlatform.EXTRA_KEY);
  }

  private Answer sizing(String query) {
    return demo.callAt("GET", "/api/v1/sizing" + query, null);
  }

  @Test
  void aLoadIsAnsweredWithPartsCostsAndWhatBinds() {
    Answer answer = sizing("?points=2000000&series=10000000&labels=8&brokers=m5.4xlarge");
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    JsonNode load = answer.body().path("load");
    assertThat(load.path("points").asDouble()).isEqualTo(2_000_000);
    assertThat(load.path("brokers").asString()).isEqualTo("m5.4xlarge");
    // What was not given is that of load.yaml, and is said.
    assertThat(load.path("minutes_days").asDouble()).isEqualTo(30);
    BigDecimal sum =
        new BigDecimal(answer.body().path("object_storage_cost").asString())
            .add(new BigDecimal(answer.body().path("zone_traffic_cost").asString()));
    JsonNode fullest = null;
    for (JsonNode part : answer.body().path("parts")) {
      sum = sum.add(new BigDecimal(part.path("cost").asString()));
      if (part.path("name").asString().equals(answer.body().path("binding_part").asString())) {
        fullest = part;
      }
    }
    assertThat(new BigDecimal(answer.body().path("total_cost").asString()))
        .isCloseTo(sum, org.assertj.core.api.Assertions.within(new BigDecimal("0.10")));
    assertThat(fullest).isNotNull();
    assertThat(fullest.path("gains").size()).isPositive();
    assertThat(fullest.path("binding").asString()).isNotEmpty();
    assertThat(answer.body().path("assumptions").size()).isPositive();
    assertThat(answer.header("Cache-Control")).isEqualTo("max-age=300, private");
    assertThat(answer.header("RateLimit")).isNotEmpty();
  }

  @Test
  void whatIsWrongIsRefusedByItsNameAllAtOnce() {
    Answer answer = sizing("?points=0&replication=-1&busy=NaN&workers=abacus");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("invalid_request");
    assertThat(answer.body().path("errors").valueStream().toList())
        .extracting(fault -> fault.path("detail").asString().split(" ")[0])
        .containsExactly("points", "replication", "busy", "workers");
    for (String kind : List.of("points=many", "groups=1.5", "replication=99999999999")) {
      Answer refused = sizing("?" + kind);
      assertThat(refused.status()).as(kind).isEqualTo(400);
      assertThat(refused.body().path("detail").asString()).contains(kind.split("=")[0]);
    }
  }

  @Test
  void nobodyAsksWithoutCredentials() {
    assertThat(Http.get(platform.api("/api/v1/sizing")).statusCode()).isEqualTo(401);
  }
}
