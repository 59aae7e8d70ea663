package io.tidemark.platform.notification;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Deliveries are shown for 30 days after their end, and those that wait for as long as they do. */
@ExtendWith(RunningPlatform.Extension.class)
class DeliveryPrunerIT {

  private final RunningPlatform platform;

  DeliveryPrunerIT(RunningPlatform platform) {
    this.platform = platform;
  }

  private void age(String id, String state, String column, int days) {
    assertThat(
            platform
                .database()
                .sql(
                    "UPDATE delivery SET state = :state, %s = now() - make_interval(days => :days),"
                            .formatted(column)
                        + " next_attempt_at = now() + interval '1 day' WHERE id = :id")
                .param("state", state)
                .param("days", days)
                .param("id", id)
                .update())
        .isEqualTo(1);
  }

  @Test
  void deliveriesGoThirtyDaysAfterTheirEnd() {
    ControlApi demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
    String place = "/environments/env-prune-deliveries";
    assertThat(
            demo.post("/environments", "{\"id\":\"env-prune-deliveries\",\"display_name\":\"x\"}")
                .status())
        .isEqualTo(201);
    String integration =
        place
            + "/integrations/"
            + demo.post(
                    place + "/integrations",
                    // Not enabled, so that no attempt changes the rows of this test.
                    TestingAlerts.INTEGRATION.replace(
                        "}", ",\"send_test\":false,\"enabled\":false}"))
                .body()
                .path("integration")
                .path("id")
                .asString();
    String over = test(demo, integration);
    String recent = test(demo, integration);
    String waiting = test(demo, integration);
    age(over, "delivered", "ended_at", 31);
    age(recent, "failed", "ended_at", 29);
    age(waiting, "waiting", "created_at", 31);
    carry(over, "grm-over");
    carry(waiting, "grm-waiting");
    DeliveryPruner pruner = platform.bean(DeliveryPruner.class);

    assertThat(pruner.prune()).isEqualTo(1);

    assertThat(demo.get(integration + "/deliveries/" + over).status()).isEqualTo(404);
    assertThat(demo.get(integration + "/deliveries/" + recent).status()).isEqualTo(200);
    assertThat(demo.get(integration + "/deliveries/" + waiting).status()).isEqualTo(200);
    assertThat(pruner.prune()).isZero();
    assertThat(
            platform
                .database()
                .sql("SELECT id FROM grouped_message WHERE id IN ('grm-over', 'grm-waiting')")
                .query(String.class)
                .list())
        .as("a message goes with the last that it carried")
        .containsExactly("grm-waiting");
  }

  private void carry(String delivery, String message) {
    assertThat(
            platform
                .database()
                .sql(
                    """
                    INSERT INTO grouped_message
                    SELECT organization_id, :message, integration_id, message_id, body, 1,
                      now() - interval '32 days'
                    FROM delivery WHERE id = :id
                    """)
                .param("message", message)
                .param("id", delivery)
                .update())
        .isEqualTo(1);
    assertThat(
            platform
                .database()
                .sql("UPDATE delivery SET carried_in = :message, transition_id = id WHERE id = :id")
                .param("message", message)
                .param("id", delivery)
                .update())
        .isEqualTo(1);
  }

  private static String test(ControlApi demo, String integration) {
    return demo.post(integration + "/test", null).body().path("id").asString();
  }
}
