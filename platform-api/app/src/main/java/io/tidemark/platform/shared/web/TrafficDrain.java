package io.tidemark.platform.shared.web;

import io.tidemark.platform.shared.ValidatedSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Keeps every door open for a while after a stop was asked for. Readiness says no from the
 * beginning of it, so that proxies send nothing new once the doors close.
 */
@Component
class TrafficDrain {

  private static final Logger LOG = LoggerFactory.getLogger(TrafficDrain.class);

  /**
   * Settings of the drain.
   *
   * @param period longer than a proxy needs to see that this instance is not ready
   */
  @ConfigurationProperties("tidemark.drain")
  record DrainProperties(@DefaultValue("0s") Duration period) implements ValidatedSettings {
    @Override
    public List<String> faults() {
      return period.isNegative() || period.compareTo(Duration.ofMinutes(2)) > 0
          ? List.of("TIDEMARK_DRAIN must be 0s to 2m")
          : List.of();
    }
  }

  private final DrainProperties properties;
  private final ApplicationContext application;

  TrafficDrain(DrainProperties properties, ApplicationContext application) {
    this.properties = properties;
    this.application = application;
  }

  /** Comes before anything is stopped. */
  @EventListener
  void drain(ContextClosedEvent closing) throws InterruptedException {
    if (closing.getApplicationContext() == application && !properties.period().isZero()) {
      LOG.info("Not ready any more; everything is served for {} yet", properties.period());
      TimeUnit.NANOSECONDS.sleep(properties.period().toNanos());
    }
  }
}
