package io.tidemark.platform.query.web;

import io.tidemark.contracts.metrics.model.AttributesRequest;
import io.tidemark.contracts.metrics.model.AttributesResponse;
import io.tidemark.contracts.metrics.model.LabelDescriptor;
import io.tidemark.contracts.metrics.model.MetricDescriptor;
import io.tidemark.contracts.metrics.model.MetricDescriptorsResponse;
import io.tidemark.contracts.metrics.model.PageMeta;
import io.tidemark.contracts.metrics.model.Pagination;
import io.tidemark.contracts.metrics.model.QueryMeta;
import io.tidemark.contracts.metrics.model.ResourceDescriptor;
import io.tidemark.contracts.metrics.model.ResourceDescriptorsResponse;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.query.application.DeclaredMetricLookup.Stage;
import io.tidemark.platform.query.application.LabelValueService.Attributes;
import io.tidemark.platform.query.application.MetricDescriptorService;
import io.tidemark.platform.query.application.MetricDescriptorService.Label;
import io.tidemark.platform.query.application.MetricDescriptorService.Page;
import io.tidemark.platform.query.domain.AttributesDraft;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Attributes and descriptors between contract and domain. Checks nothing. */
final class SeriesApiMapping {

  private SeriesApiMapping() {}

  static AttributesDraft draft(AttributesRequest request) {
    return new AttributesDraft(
        request.getMetric(),
        Objects.requireNonNullElse(request.getGroupBy(), List.of()),
        QueryApiMapping.draft(request.getFilter()),
        Objects.requireNonNullElse(request.getIntervals(), List.of()),
        request.getLimit());
  }

  static AttributesResponse response(Attributes attributes) {
    List<Map<String, Object>> data =
        attributes.combinations().stream()
            .map(
                (List<@Nullable String> labels) ->
                    QueryApiMapping.labels(attributes.keys(), labels))
            .toList();
    return new AttributesResponse(data)
        .meta(
            new QueryMeta()
                .pagination(
                    new Pagination(attributes.pageSize())
                        .nextPageToken(attributes.nextPage().orElse(null)))
                .completeness(QueryApiMapping.completeness(attributes.completeness())));
  }

  static MetricDescriptorsResponse metrics(Page<MetricDescriptorService.Metric> page) {
    return new MetricDescriptorsResponse(
        page.items().stream()
            .map(
                metric ->
                    new MetricDescriptor(
                        metric.name(),
                        metric.declared().description(),
                        metric.unit(),
                        metric.kind() == MetricKind.GAUGE ? "GAUGE_DOUBLE" : "COUNTER_DOUBLE",
                        metric.declared().stage() == Stage.DEPRECATED
                            ? "DEPRECATED"
                            : "GENERAL_AVAILABILITY",
                        true,
                        List.copyOf(metric.resources()),
                        labels(metric.labels())))
            .toList(),
        meta(page));
  }

  static ResourceDescriptorsResponse resources(Page<MetricDescriptorService.Resource> page) {
    return new ResourceDescriptorsResponse(
        page.items().stream()
            .map(
                resource ->
                    new ResourceDescriptor(
                        resource.type(),
                        "Resources of type " + resource.type(),
                        labels(resource.labels())))
            .toList(),
        meta(page));
  }

  private static List<LabelDescriptor> labels(List<Label> labels) {
    return labels.stream()
        .map(label -> new LabelDescriptor(label.key(), "", label.exportable()))
        .toList();
  }

  private static PageMeta meta(Page<?> page) {
    return new PageMeta(
        new Pagination(page.size())
            .totalSize(page.total())
            .nextPageToken(page.next().orElse(null)));
  }
}
