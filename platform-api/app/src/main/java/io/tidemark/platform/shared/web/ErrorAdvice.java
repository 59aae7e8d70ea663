package io.tidemark.platform.shared.web;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.ValueInstantiationException;

/** Turns every exception of a controller into the error shape of the contract. */
@RestControllerAdvice
class ErrorAdvice {

  private static final Logger LOG = LoggerFactory.getLogger(ErrorAdvice.class);

  private final ErrorResponses answers;

  ErrorAdvice(ErrorResponses answers) {
    this.answers = answers;
  }

  @ExceptionHandler
  ResponseEntity<Object> problem(ProblemException problem) {
    return answers.answer(problem);
  }

  @ExceptionHandler
  ResponseEntity<Object> unreadable(HttpMessageNotReadableException unreadable) {
    for (Throwable cause = unreadable; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProblemException problem) {
        return answers.answer(problem);
      }
    }
    String detail =
        unreadable.getCause() instanceof JacksonException fault
            ? sentence(fault)
            : "The body is missing or cannot be read as JSON.";
    return answers.answer(ProblemException.of(ErrorCode.MALFORMED_REQUEST, detail));
  }

  @ExceptionHandler
  ResponseEntity<Object> wrongMediaType(HttpMediaTypeNotSupportedException wrong) {
    return answers.answer(
        ProblemException.of(
            ErrorCode.UNSUPPORTED_MEDIA_TYPE,
            "Send the body as Content-Type: "
                + wrong.getSupportedMediaTypes().stream()
                    .findFirst()
                    .orElse(MediaType.APPLICATION_JSON)
                + "."));
  }

  @ExceptionHandler
  ResponseEntity<Object> notAcceptable(HttpMediaTypeNotAcceptableException wrong) {
    String forms =
        wrong.getSupportedMediaTypes().stream()
            .map(MediaType::toString)
            .distinct()
            .collect(Collectors.joining(" or "));
    return answers.answer(
        ProblemException.of(
            answers.isOfMetrics() ? ErrorCode.NOT_ACCEPTABLE : ErrorCode.UNSUPPORTED_MEDIA_TYPE,
            "Answers are "
                + (forms.isEmpty() ? "application/json" : forms)
                + "; let the Accept header allow it."));
  }

  @ExceptionHandler
  ResponseEntity<Object> wrongMethod(HttpRequestMethodNotSupportedException wrong) {
    String[] allowed = wrong.getSupportedMethods();
    String allow = allowed == null ? "" : String.join(", ", allowed);
    ResponseEntity<Object> answer =
        answers.answer(
            ProblemException.of(
                ErrorCode.METHOD_NOT_ALLOWED,
                wrong.getMethod() + " is not a method of this path; use " + allow + "."));
    return ResponseEntity.status(answer.getStatusCode())
        .headers(answer.getHeaders())
        .header(HttpHeaders.ALLOW, allow)
        .body(answer.getBody());
  }

  @ExceptionHandler({NoResourceFoundException.class, NoHandlerFoundException.class})
  ResponseEntity<Object> notFoundPage() {
    return answers.answer(
        ProblemException.of(
            ErrorCode.NOT_FOUND, "There is nothing at this path; check the path and the port."));
  }

  @ExceptionHandler
  ResponseEntity<Object> wrongParameter(MethodArgumentTypeMismatchException wrong) {
    return answers.answer(
        ProblemException.of(
            ErrorCode.MALFORMED_REQUEST,
            wrong.getName() + " has the wrong type; see the API's description."));
  }

  @ExceptionHandler
  ResponseEntity<Object> missingParameter(MissingServletRequestParameterException missing) {
    return answers.answer(
        ProblemException.of(
            ErrorCode.MALFORMED_REQUEST, missing.getParameterName() + " is required."));
  }

  /** The container found parameters that are no UTF-8, encoded wrongly, or too many or long. */
  @ExceptionHandler
  ResponseEntity<Object> unreadableParameters(InvalidParameterException unreadable) {
    return answers.answer(
        unreadable.getErrorCode() == 413
            ? ProblemException.of(
                ErrorCode.BODY_TOO_LARGE, "The form is too large. Send a smaller one.")
            : ProblemException.of(
                ErrorCode.MALFORMED_REQUEST,
                "The parameters cannot be read: they must be percent-encoded UTF-8."));
  }

  /** Names and values of parameters and headers are looked at only when they are read. */
  @ExceptionHandler
  ResponseEntity<Object> refusedCharacters(RequestRejectedException refused) {
    return answers.answer(
        ProblemException.of(
            ErrorCode.MALFORMED_REQUEST,
            "A parameter or header has characters that none may have: control characters, or"
                + " code points that Unicode has not assigned."));
  }

  @ExceptionHandler({
    CannotCreateTransactionException.class,
    DataAccessResourceFailureException.class,
    TransientDataAccessException.class
  })
  ResponseEntity<Object> databaseAway(RuntimeException away) {
    return answers.answer(
        ProblemException.passing(
            away,
            ErrorCode.CONTROL_PLANE_UNAVAILABLE,
            "The database cannot be reached or is busy. Try again in some seconds.",
            Duration.ofSeconds(5)));
  }

  /**
   * Nobody reads the answer any more: a check of a proxy ended, a client gave up. With the response
   * as an argument nothing is written to it.
   */
  @ExceptionHandler
  void clientGone(AsyncRequestNotUsableException gone, HttpServletResponse response) {
    LOG.debug("The client went away before its answer: {}", gone.getMessage());
  }

  @ExceptionHandler
  ResponseEntity<Object> unexpected(Exception fault) {
    return answers.answerUnexpected(fault);
  }

  private static String sentence(JacksonException fault) {
    String path =
        fault.getPath().stream()
            .map(
                step ->
                    step.getPropertyName() == null
                        ? "[" + step.getIndex() + "]"
                        : "." + step.getPropertyName())
            .collect(Collectors.joining())
            .replaceFirst("^\\.", "");
    if (path.isEmpty()) {
      return "The body is not JSON of the expected form.";
    }
    Object[] allowed =
        fault instanceof ValueInstantiationException unknown && unknown.getType() != null
            ? unknown.getType().getRawClass().getEnumConstants()
            : null;
    return allowed == null
        ? path + " has the wrong type."
        : path + " must be one of " + Arrays.toString(allowed) + ".";
  }
}
