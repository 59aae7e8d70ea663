/**
 * The gateway: takes metrics from senders and answers only when Kafka has them.
 *
 * <p>Words: a <em>batch</em> is one request of a sender; its <em>accepted part</em> becomes one
 * record of {@code telemetry.points.v1}; a <em>rejection</em> is a point that is refused with a
 * reason and told to the sender. One core ({@code application}) serves every protocol; {@code web}
 * and {@code grpc} only translate. It does not own keys ({@code access}), and does not roll up,
 * deduplicate or store points: that happens behind Kafka. Guarded by {@code BatchReceiverTest},
 * {@code OtlpDecodingTest} and {@code OtlpHttpIT}.
 */
@ApplicationModule(
    allowedDependencies = {
      "shared",
      "replicas",
      "tenancy",
      "access",
      "quotas",
      "catalog",
      "kafka",
      "tls"
    })
@NullMarked
package io.tidemark.platform.ingest;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
