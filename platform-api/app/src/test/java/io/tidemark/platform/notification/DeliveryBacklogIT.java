package io.tidemark.platform.notification;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Deliveries that wait are counted over all organisations; those that are due by their age. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeliveryBacklogIT {

  private RunningPlatform platform;

  /** One that looks for no deliveries while this test does. */
  @BeforeAll
  void start() {
    platform = RunningPlatform.with(Map.of("tidemark.notification.period", "1d"));
  }

  @AfterAll
  void stop() throws IOException {
    platform.close();
  }

  private String integration(ControlApi tenant, String environment) {
    String place = "/environments/" + environment;
    assertThat(
            tenant
                .post("/environments", "{\"id\":\"" + environment + "\",\"display_name\":\"x\"}")
                .status())
        .isEqualTo(201);
    return tenant
        .post(
            place + "/integrations",
            TestingAlerts.INTEGRATION.replace("}", ",\"send_test\":false}"))
        .body()
        .path("integration")
        .path("id")
        .asString();
  }

  /** A message of its own order. */
  private void waits(String organization, String integration, String id, String dueSince) {
    assertThat(
            platform
                .database()
                .sql(
                    """
                    INSERT INTO delivery (organization_id, id, integration_id, order_key, message_id,
                      type, body, state, created_at, next_attempt_at, attempt_count)
                    VALUES (:organization, :id, :integration, :id, :id, 'test', '{}', 'waiting',
                      now() - interval '1 day', now() - :since::interval, 0)
                    """)
                .param("organization", organization)
                .param("integration", integration)
                .param("id", id)
                .param("since", dueSince)
                .update())
        .isEqualTo(1);
  }

  private void shows(int waiting, double age) {
    platform.bean(DeliveryBacklog.class).look();
    MeterRegistry meters = platform.bean(MeterRegistry.class);
    assertThat(meters.get("tidemark.deliveries.waiting").gauge().value()).isEqualTo(waiting);
    // The database and this process look at their clocks one after the other.
    assertThat(meters.get("tidemark.deliveries.oldest_due.age").gauge().value())
        .isBetween(age == 0 ? 0 : age - 1, age == 0 ? 0 : age + 60);
  }

  private void change(String integration, String assignment) {
    assertThat(
            platform
                .database()
                .sql("UPDATE integration SET " + assignment + " WHERE id = :id")
                .param("id", integration)
                .update())
        .isEqualTo(1);
  }

  @Test
  void waitingOnesAreCountedAndTheOldestThatIsDueIsShown() {
    String demo =
        integration(
            new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY), "env-backlog-demo");
    String self =
        integration(
            new ControlApi(platform, "org-self", RunningPlatform.SELF_KEY), "env-backlog-self");
    shows(0, 0);

    waits("org-demo", demo, "dlv-later", "-10 minutes");
    shows(1, 0);

    waits("org-demo", demo, "dlv-due", "10 minutes");
    waits("org-self", self, "dlv-oldest", "20 minutes");
    shows(3, 1200);

    change(self, "paused_until = now() + interval '1 hour'");
    shows(3, 600);

    change(demo, "disabled_reason = 'not_answering'");
    shows(3, 0);
  }
}
