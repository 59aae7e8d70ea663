package io.tidemark.platform.shared.web;

import io.tidemark.contracts.metrics.model.ErrorItem;
import io.tidemark.contracts.metrics.model.ErrorResponse;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.ProblemException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/** Builds error answers and logs them: faults of Tidemark as errors, faults of the caller not. */
@Component
public class ErrorAnswers {

  private static final Logger LOG = LoggerFactory.getLogger(ErrorAnswers.class);

  private final IdentifierSource identifiers;

  ErrorAnswers(IdentifierSource identifiers) {
    this.identifiers = identifiers;
  }

  /** The answer to a known problem. */
  public ResponseEntity<ErrorResponse> answer(ProblemException problem) {
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
    headers.setContentType(MediaType.APPLICATION_JSON);
    problem
        .retryAfter()
        .ifPresent(wait -> headers.set(HttpHeaders.RETRY_AFTER, Long.toString(wait.toSeconds())));
    if (problem.code() == ErrorCode.UNAUTHENTICATED) {
      headers.set(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"tidemark\"");
    }
    List<ErrorItem> items =
        problem.details().stream()
            .map(
                detail ->
                    new ErrorItem(
                        id,
                        Integer.toString(problem.code().status()),
                        problem.code().wireName(),
                        detail))
            .toList();
    return ResponseEntity.status(problem.code().status())
        .headers(headers)
        .body(new ErrorResponse(items));
  }

  /** The answer to a fault of Tidemark itself; the caller gets only the id found in the log. */
  public ResponseEntity<ErrorResponse> answerUnexpected(Throwable fault) {
    return answer(
        ProblemException.causedBy(
            fault,
            ErrorCode.INTERNAL,
            "A fault in Tidemark. Report the id of this error; it is in the log."));
  }
}
