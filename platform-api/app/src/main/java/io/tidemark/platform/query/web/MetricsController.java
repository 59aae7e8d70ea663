package io.tidemark.platform.query.web;

import io.tidemark.contracts.metrics.MetricsApi;
import io.tidemark.contracts.metrics.model.QueryRequest;
import io.tidemark.contracts.metrics.model.QueryResponse;
import io.tidemark.platform.query.application.QueryingMetrics;
import io.tidemark.platform.query.domain.QueryDraft;
import io.tidemark.platform.shared.CallerOfRequest;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** The Metrics API of the contract. */
@RestController
class MetricsController implements MetricsApi {

  private final CallerOfRequest callers;
  private final QueryingMetrics metrics;

  MetricsController(CallerOfRequest callers, QueryingMetrics metrics) {
    this.callers = callers;
    this.metrics = metrics;
  }

  @Override
  public ResponseEntity<QueryResponse> queryMetrics(String dataset, QueryRequest request) {
    QueryDraft draft = QueryApiMapping.draft(request);
    return ResponseEntity.ok(
        QueryApiMapping.response(draft, metrics.answer(callers.current(), dataset, draft)));
  }
}
