package io.tidemark.platform.notification;

import io.tidemark.platform.alerting.AlertPulse;
import io.tidemark.platform.notification.CrossTenantDeliveries.HeartbeatDue;
import io.tidemark.platform.notification.MessageRenderer.Message;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Keeps messages that say that alerts are decided, as long as they are: whoever waits for them
 * learns from their absence that the platform, or the way to the receiver, stands. Of two processes
 * that look at once, the one that holds the row decides.
 */
@Component
class Heartbeats {

  private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);
  private static final int AT_A_TIME = 100;

  /** How soon it is looked again when there is none to be sent. */
  private static final Duration AGAIN = Duration.ofSeconds(30);

  private final CrossTenantDeliveries due;
  private final TenantTransactions transactions;
  private final JdbcIntegrations integrations;
  private final JdbcDeliveries deliveries;
  private final DeliveryQueue queue;
  private final AlertPulse pulse;
  private final Clock clock;

  Heartbeats(
      CrossTenantDeliveries due,
      TenantTransactions transactions,
      JdbcIntegrations integrations,
      JdbcDeliveries deliveries,
      DeliveryQueue queue,
      AlertPulse pulse,
      Clock clock) {
    this.due = due;
    this.transactions = transactions;
    this.integrations = integrations;
    this.deliveries = deliveries;
    this.queue = queue;
    this.pulse = pulse;
    this.clock = clock;
  }

  /** Keeps those whose time has come. */
  void pass() {
    for (HeartbeatDue each : due.heartbeats(clock.instant(), AT_A_TIME)) {
      transactions.run(each.organization(), () -> beat(each));
    }
  }

  private void beat(HeartbeatDue due) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    if (!integrations.lockHeartbeat(due.organization(), due.integration(), now)) {
      return;
    }
    Integration integration =
        integrations.find(due.organization(), due.integration()).orElseThrow();
    Integer minutes = integration.definition().heartbeatMinutes();
    if (minutes == null) {
      return;
    }
    AlertPulse.Beat beat = pulse.of(due.organization());
    if (beat.fault() != null) {
      LOG.warn("No heartbeat of {}: {}", due.organization(), beat.fault());
    }
    // One that waits says as much as two.
    boolean isSent =
        beat.fault() == null
            && integration.definition().enabled()
            && integration.disabledReason() == null
            && !deliveries.waits(due.organization(), due.integration(), MessageRenderer.HEARTBEAT);
    if (isSent) {
      var unused =
          queue.add(
              due.organization(),
              integration,
              new Message(
                  due.organization(),
                  integration.environment().value(),
                  MessageRenderer.HEARTBEAT,
                  "heartbeat-" + now.toEpochMilli(),
                  now,
                  null,
                  null,
                  new MessageRenderer.Heartbeat(
                      beat.completeUntil(), beat.decidedUntil(), minutes)),
              now);
    }
    integrations.setHeartbeat(
        due.organization(),
        due.integration(),
        now.plus(isSent ? Duration.ofMinutes(minutes) : AGAIN));
  }
}
