/**
 * Which metrics and resources an environment has: discovered from what was sent, declared by
 * people.
 *
 * <p>Words: a <em>declaration</em> is what somebody said of a metric; it wins over what was
 * discovered. A <em>sighting</em> is what committed rows show of a metric or a resource, with the
 * description that senders gave. A <em>resource</em> is what sends: a Kafka cluster, a connector, a
 * service; it is <em>confirmed</em> when somebody said that it is meant to be there. Declarations
 * are told to the rollup job by the topic {@code control.metrics.v1}. It does not own figures or
 * points. Flat. Guarded by {@code MetricCatalogIT}, {@code ResourcesApiIT}, {@code SightingsTest}
 * and {@code DescriptionRecorderTest}.
 */
@ApplicationModule(
    allowedDependencies = {"shared", "audit", "outbox", "tenancy", "deletion", "rows", "kafka"})
@NullMarked
package io.tidemark.platform.catalog;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
