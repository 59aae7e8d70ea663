package io.tidemark.platform.notification;

import io.tidemark.platform.shared.ValidatedSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of notifications.
 *
 * @param secret from which the key is made that seals secrets of integrations
 * @param acceptedSecrets others that are taken beside it while it is replaced
 * @param allowedAddresses networks (CIDR) that are not public and may be delivered to all the same,
 *     over HTTP too
 * @param period time between looks for messages whose time has come
 * @param timeout of one attempt, from the first packet to the last
 * @param threads attempts at a time
 * @param giveUpAfter age at which a message that was never taken is given up
 * @param disableAfter time without a success after which an integration is disabled
 * @param heartbeatPeriod time between looks for heartbeats whose time has come
 * @param pruningPeriod time between looks for deliveries that are older than is promised
 */
@ConfigurationProperties("tidemark.notification")
public record NotificationProperties(
    @DefaultValue("") String secret,
    @DefaultValue List<String> acceptedSecrets,
    @DefaultValue List<String> allowedAddresses,
    @DefaultValue("1s") Duration period,
    @DefaultValue("15s") Duration timeout,
    @DefaultValue("8") int threads,
    @DefaultValue("72h") Duration giveUpAfter,
    @DefaultValue("120h") Duration disableAfter,
    @DefaultValue("5s") Duration heartbeatPeriod,
    @DefaultValue("1h") Duration pruningPeriod)
    implements ValidatedSettings {

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (String network : allowedAddresses) {
      try {
        AddressPolicy.of(List.of(network));
      } catch (IllegalArgumentException notANetwork) {
        faults.add(
            "tidemark.notification.allowed-addresses must be networks like 10.0.0.0/8: "
                + notANetwork.getMessage());
      }
    }
    if (period.toMillis() < 1
        || timeout.toMillis() < 1
        || threads < 1
        || heartbeatPeriod.toMillis() < 1
        || pruningPeriod.toMillis() < 1) {
      faults.add(
          "tidemark.notification.period, timeout, threads, heartbeat-period and pruning-period must"
              + " be more than 0");
    }
    return faults;
  }
}
