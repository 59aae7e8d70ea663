package io.tidemark.platform.shared.web;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Errors that the servlet container found before or outside the controllers. */
@RestController
class ContainerErrors implements ErrorController {

  private final ErrorResponses answers;

  ContainerErrors(ErrorResponses answers) {
    this.answers = answers;
  }

  @RequestMapping("${spring.web.error.path:${error.path:/error}}")
  ResponseEntity<Object> error(HttpServletRequest request) {
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    Object fault = request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
    for (Throwable cause = (Throwable) fault; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProblemException problem) {
        return answers.answer(problem);
      }
    }
    if (status == null || status.equals(404)) {
      return answers.answer(
          ProblemException.of(
              ErrorCode.NOT_FOUND, "There is nothing at this path; check the path and the port."));
    }
    if (status instanceof Integer number && number < 500) {
      return answers.answer(
          ProblemException.of(
              ErrorCode.MALFORMED_REQUEST, "The request is not one that this server understands."));
    }
    return answers.answerUnexpected((Throwable) fault);
  }
}
