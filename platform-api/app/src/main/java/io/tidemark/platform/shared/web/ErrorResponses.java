package io.tidemark.platform.shared.web;

import io.tidemark.contracts.controlapi.model.Problem;
import io.tidemark.contracts.controlapi.model.ProblemItem;
import io.tidemark.contracts.metrics.model.ErrorItem;
import io.tidemark.contracts.metrics.model.ErrorResponse;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.ProblemException;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/**
 * Builds error answers and logs them: faults of Tidemark as errors, faults of the caller not. Below
 * {@code /api/} they are problem details of the control API, below {@code /prometheus/} those of
 * Prometheus, elsewhere those of the Metrics API, whose form the Billing API has too.
 */
@Component
public class ErrorResponses {

  private static final Logger LOG = LoggerFactory.getLogger(ErrorResponses.class);

  private final IdentifierSource identifiers;
  private final ErrorVocabulary vocabulary;
  private final HttpServletRequest request;

  ErrorResponses(
      IdentifierSource identifiers, ErrorVocabulary vocabulary, HttpServletRequest request) {
    this.identifiers = identifiers;
    this.vocabulary = vocabulary;
    this.request = request;
  }

  /** The answer to a known problem. */
  public ResponseEntity<Object> answer(ProblemException problem) {
    String id = identifiers.next();
    if (problem.retryAfter().isPresent()) {
      // Passing, and possibly many at once: one line each.
      LOG.warn("{} {} ({})", id, problem.getMessage(), String.valueOf(problem.getCause()));
    } else if (problem.code().status() >= 500) {
      LOG.error("{} {}", id, problem.getMessage(), problem.getCause());
    } else {
      LOG.debug("{} {}", id, problem.getMessage());
    }
    HttpHeaders headers = new HttpHeaders();
    problem
        .retryAfter()
        .ifPresent(wait -> headers.set(HttpHeaders.RETRY_AFTER, Long.toString(wait.toSeconds())));
    if (problem.code() == ErrorCode.UNAUTHENTICATED) {
      // A browser would ask for a password on its own when it saw Basic.
      boolean browser = request.getHeader("Sec-Fetch-Mode") != null;
      headers.set(
          HttpHeaders.WWW_AUTHENTICATE, (browser ? "Bearer" : "Basic") + " realm=\"tidemark\"");
    }
    String path = requestedPath();
    headers.setContentType(type(path));
    int status =
        isOfPrometheus(path) ? PrometheusFaults.status(problem.code()) : problem.code().status();
    return ResponseEntity.status(status).headers(headers).body(body(path, id, problem));
  }

  /** What an answer about this path is written as. */
  MediaType type(String path) {
    return isOfControl(path) ? MediaType.APPLICATION_PROBLEM_JSON : MediaType.APPLICATION_JSON;
  }

  /** The body of an answer about this path. */
  Object body(String path, String id, ProblemException problem) {
    if (isOfPrometheus(path)) {
      return PrometheusFaults.body(id, problem);
    }
    return isOfControl(path) ? problemDetails(id, problem) : errorResponse(id, problem);
  }

  /** Whether the path is one of the Metrics API or of Prometheus'. */
  boolean isOfMetrics() {
    String path = requestedPath();
    return path.startsWith("/v2/") || isOfPrometheus(path);
  }

  private static boolean isOfPrometheus(String path) {
    return path.startsWith("/prometheus/");
  }

  private static boolean isOfControl(String path) {
    return path.startsWith("/api/");
  }

  /** The answer to a fault of Tidemark itself; the caller gets only the id found in the log. */
  public ResponseEntity<Object> answerUnexpected(Throwable fault) {
    return answer(
        ProblemException.causedBy(
            fault,
            ErrorCode.INTERNAL,
            "A fault in Tidemark. Report the id of this error; it is in the log."));
  }

  /** The path that was asked for, also while the container reports an error about it. */
  private String requestedPath() {
    Object original = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
    return original == null ? request.getRequestURI() : original.toString();
  }

  private Problem problemDetails(String id, ProblemException problem) {
    ErrorVocabulary.Explanation explanation = vocabulary.of(problem.code());
    String code = problem.code().wireName();
    return new Problem(
        "urn:tidemark:error:" + code,
        explanation.meaning(),
        problem.code().status(),
        String.join(" ", problem.details()),
        "urn:uuid:" + id,
        code,
        explanation.nextStep(),
        problem.details().stream().map(ProblemItem::new).toList());
  }

  private static ErrorResponse errorResponse(String id, ProblemException problem) {
    return new ErrorResponse(
        problem.details().stream()
            .map(
                detail ->
                    new ErrorItem(
                        id,
                        Integer.toString(problem.code().status()),
                        problem.code().wireName(),
                        detail))
            .toList());
  }
}
