package io.tidemark.platform.catalog.web;

import io.tidemark.contracts.controlapi.model.DiscoveredMetric;
import io.tidemark.contracts.controlapi.model.Metric;
import io.tidemark.contracts.controlapi.model.MetricDeclaration;
import io.tidemark.contracts.controlapi.model.MetricLifecycle;
import io.tidemark.contracts.controlapi.model.MetricType;
import io.tidemark.contracts.controlapi.model.Resource;
import io.tidemark.contracts.controlapi.model.ResourceState;
import io.tidemark.platform.catalog.CatalogMetric;
import io.tidemark.platform.catalog.CatalogName;
import io.tidemark.platform.catalog.CatalogResource;
import io.tidemark.platform.catalog.MetricSighting;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Between the types of the contract and those of the module. Checks nothing. */
final class CatalogApiMapping {

  private CatalogApiMapping() {}

  static Metric shown(CatalogMetric metric) {
    return new Metric(
            CatalogName.idOf(metric.name()),
            metric.name(),
            MetricLifecycle.fromValue(metric.lifecycle().wireName()))
        .type(type(metric.type()))
        .unit(metric.unit())
        .declared(metric.declared() == null ? null : declared(metric.declared()))
        .declaredAt(utc(metric.declaredAt()))
        .discovered(metric.discovered() == null ? null : discovered(metric.discovered()));
  }

  private static MetricDeclaration declared(
      io.tidemark.platform.catalog.MetricDeclaration declaration) {
    return new MetricDeclaration()
        .unit(declaration.unit().isEmpty() ? null : declaration.unit())
        .type(type(declaration.type()))
        .description(declaration.description().isEmpty() ? null : declaration.description())
        .highCardinalityLabels(declaration.highCardinalityLabels())
        .lifecycle(MetricLifecycle.fromValue(declaration.lifecycle().wireName()));
  }

  private static DiscoveredMetric discovered(MetricSighting sighting) {
    return new DiscoveredMetric(
        type(sighting.type()),
        sighting.unit(),
        sighting.labels(),
        sighting.labelsComplete(),
        utc(sighting.firstSeen()),
        utc(sighting.lastSeen()));
  }

  /** What is said of a metric; a draft without a declaration says nothing. */
  static io.tidemark.platform.catalog.MetricDeclaration declaration(
      @Nullable MetricDeclaration sent) {
    MetricDeclaration said = sent == null ? new MetricDeclaration() : sent;
    return new io.tidemark.platform.catalog.MetricDeclaration(
        Objects.requireNonNullElse(said.getUnit(), ""),
        said.getType() == null
            ? null
            : io.tidemark.platform.catalog.MetricType.named(said.getType().getValue()),
        Objects.requireNonNullElse(said.getDescription(), ""),
        Objects.requireNonNullElse(said.getHighCardinalityLabels(), List.of()),
        said.getLifecycle() == null
            ? io.tidemark.platform.catalog.MetricLifecycle.ACTIVE
            : io.tidemark.platform.catalog.MetricLifecycle.named(said.getLifecycle().getValue()));
  }

  static Resource shown(CatalogResource resource) {
    return new Resource(
            resource.id(),
            resource.type(),
            resource.name(),
            resource.displayName(),
            resource.isConfirmed() ? ResourceState.CONFIRMED : ResourceState.DISCOVERED,
            utc(resource.createdAt()),
            utc(resource.updatedAt()))
        .firstSeen(utc(resource.firstSeen()))
        .lastSeen(utc(resource.lastSeen()));
  }

  private static @Nullable MetricType type(io.tidemark.platform.catalog.@Nullable MetricType type) {
    return type == null ? null : MetricType.fromValue(type.wireName());
  }

  private static @Nullable OffsetDateTime utc(@Nullable Instant time) {
    return time == null ? null : time.atOffset(ZoneOffset.UTC);
  }
}
