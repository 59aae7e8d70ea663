package io.tidemark.platform.query.web;

import io.tidemark.contracts.metrics.MetricsApi;
import io.tidemark.contracts.metrics.model.AttributesRequest;
import io.tidemark.contracts.metrics.model.AttributesResponse;
import io.tidemark.contracts.metrics.model.MetricDescriptorsResponse;
import io.tidemark.contracts.metrics.model.QueryEstimate;
import io.tidemark.contracts.metrics.model.QueryRequest;
import io.tidemark.contracts.metrics.model.QueryResponse;
import io.tidemark.contracts.metrics.model.ResourceDescriptorsResponse;
import io.tidemark.contracts.metrics.model.TargetGroup;
import io.tidemark.platform.query.application.LabelValueService;
import io.tidemark.platform.query.application.MetricDescriptorService;
import io.tidemark.platform.query.application.MetricDescriptorService.PageWish;
import io.tidemark.platform.query.application.MetricExporter;
import io.tidemark.platform.query.application.MetricsQueryService;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.CurrentCaller;
import io.tidemark.platform.shared.ProcessRole;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** The Metrics API of the contract. */
@RestController
@ConditionalOnRole(ProcessRole.QUERY)
class MetricsController implements MetricsApi {

  private final CurrentCaller callers;
  private final MetricsQueryService metrics;
  private final LabelValueService attributes;
  private final MetricDescriptorService descriptions;
  private final MetricExporter exports;
  private final MetricsApiRateLimiter rateLimit;
  private final HttpServletRequest request;

  MetricsController(
      CurrentCaller callers,
      MetricsQueryService metrics,
      LabelValueService attributes,
      MetricDescriptorService descriptions,
      MetricExporter exports,
      MetricsApiRateLimiter rateLimit,
      HttpServletRequest request) {
    this.callers = callers;
    this.metrics = metrics;
    this.attributes = attributes;
    this.descriptions = descriptions;
    this.exports = exports;
    this.rateLimit = rateLimit;
    this.request = request;
  }

  @Override
  public ResponseEntity<QueryResponse> queryMetrics(
      String dataset, QueryRequest body, @Nullable String pageToken) {
    return ResponseEntity.ok(
        QueryApiMapping.response(
            metrics.answer(callers.current(), dataset, QueryApiMapping.draft(body), pageToken)));
  }

  @Override
  public ResponseEntity<QueryEstimate> estimateQuery(String dataset, QueryRequest body) {
    return ResponseEntity.ok(
        QueryApiMapping.estimate(
            metrics.estimate(callers.current(), dataset, QueryApiMapping.draft(body))));
  }

  @Override
  public ResponseEntity<AttributesResponse> queryAttributes(
      String dataset, AttributesRequest body, @Nullable String pageToken) {
    return ResponseEntity.ok(
        SeriesApiMapping.response(
            attributes.list(callers.current(), dataset, SeriesApiMapping.draft(body), pageToken)));
  }

  @Override
  public ResponseEntity<MetricDescriptorsResponse> listMetricDescriptors(
      String dataset,
      @Nullable Integer pageSize,
      @Nullable String pageToken,
      @Nullable String resourceType) {
    return ResponseEntity.ok(
        SeriesApiMapping.metrics(
            descriptions.metrics(
                callers.current(), dataset, resourceType, new PageWish(pageSize, pageToken))));
  }

  @Override
  public ResponseEntity<ResourceDescriptorsResponse> listResourceDescriptors(
      String dataset, @Nullable Integer pageSize, @Nullable String pageToken) {
    return ResponseEntity.ok(
        SeriesApiMapping.resources(
            descriptions.resources(callers.current(), dataset, new PageWish(pageSize, pageToken))));
  }

  @Override
  public ResponseEntity<String> exportMetrics(
      String dataset, @Nullable List<String> metric, @Nullable Boolean ignoreFailedMetrics) {
    Caller caller = callers.current();
    MetricExporter.Wish wish =
        ExportApiMapping.wish(request.getParameterMap(), metric == null ? List.of() : metric);
    rateLimit.countExport(caller, wish.resources());
    ExportApiMapping.Negotiated form = ExportApiMapping.negotiated(request.getHeader("Accept"));
    return ResponseEntity.ok()
        .contentType(form.mediaType())
        .body(exports.export(caller, dataset, wish, form.form()));
  }

  @Override
  public ResponseEntity<List<TargetGroup>> discoverTargets(
      String dataset,
      @Nullable List<String> env,
      @Nullable List<String> associatedKafkaId,
      @Nullable List<String> resourceType) {
    return ResponseEntity.ok(
        ExportApiMapping.targets(
            request,
            dataset,
            exports.discover(
                callers.current(),
                dataset,
                ExportApiMapping.filter(env, associatedKafkaId, resourceType))));
  }
}
