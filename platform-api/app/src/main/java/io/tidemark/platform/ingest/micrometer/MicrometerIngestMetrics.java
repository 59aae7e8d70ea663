package io.tidemark.platform.ingest.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.tidemark.platform.ingest.application.IngestMetrics;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.domain.IngestOutcome;
import io.tidemark.platform.ingest.domain.IngestOutcome.Accepted;
import io.tidemark.platform.ingest.domain.IngestOutcome.KeyReused;
import io.tidemark.platform.ingest.domain.IngestOutcome.Malformed;
import io.tidemark.platform.ingest.domain.IngestOutcome.NotStored;
import io.tidemark.platform.ingest.domain.IngestOutcome.OverQuota;
import io.tidemark.platform.ingest.domain.IngestOutcome.TooLarge;
import io.tidemark.platform.shared.TenantId;

/** Counters of the gateway. Their names are a public contract. */
public final class MicrometerIngestMetrics implements IngestMetrics {

  /** Points by organization, protocol, outcome (accepted, rejected) and reason. */
  public static final String POINTS = "tidemark.ingest.points";

  /** Requests by organization, protocol and outcome. */
  public static final String REQUESTS = "tidemark.ingest.requests";

  /** Decompressed bytes of requests by organization and protocol. */
  public static final String BYTES = "tidemark.ingest.bytes";

  /** Bytes of request bodies held now. */
  public static final String IN_FLIGHT_BYTES = "tidemark.ingest.in_flight_bytes";

  private final MeterRegistry registry;

  public MicrometerIngestMetrics(MeterRegistry registry, InFlightByteLimiter inFlight) {
    this.registry = registry;
    Gauge.builder(IN_FLIGHT_BYTES, inFlight, InFlightByteLimiter::held)
        .baseUnit(BaseUnits.BYTES)
        .register(registry);
  }

  @Override
  public void dealtWith(TenantId organization, String protocol, long bytes, IngestOutcome outcome) {
    String tenant = organization.value();
    registry
        .counter(REQUESTS, "organization", tenant, "protocol", protocol, "outcome", nameOf(outcome))
        .increment();
    Counter.builder(BYTES)
        .baseUnit(BaseUnits.BYTES)
        .tags("organization", tenant, "protocol", protocol)
        .register(registry)
        .increment((double) bytes);
    if (outcome instanceof Accepted accepted) {
      points(tenant, protocol, "accepted", "none", accepted.points());
      accepted
          .rejections()
          .byReason()
          .forEach((reason, number) -> points(tenant, protocol, "rejected", reason.name(), number));
    }
  }

  private void points(String tenant, String protocol, String outcome, String reason, long number) {
    if (number > 0) {
      registry
          .counter(
              POINTS,
              "organization",
              tenant,
              "protocol",
              protocol,
              "outcome",
              outcome,
              "reason",
              reason)
          .increment((double) number);
    }
  }

  private static String nameOf(IngestOutcome outcome) {
    if (outcome instanceof Accepted accepted) {
      return accepted.rejections().isEmpty() ? "accepted" : "partly_accepted";
    } else if (outcome instanceof Malformed) {
      return "malformed";
    } else if (outcome instanceof KeyReused) {
      return "key_reused";
    } else if (outcome instanceof TooLarge) {
      return "too_large";
    } else if (outcome instanceof NotStored) {
      return "not_stored";
    } else if (outcome instanceof OverQuota over) {
      return "over_" + over.quota().wireName();
    }
    throw new IllegalStateException("Unknown outcome " + outcome);
  }
}
