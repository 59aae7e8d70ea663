package io.tidemark.platform.shared.web;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.ProblemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests whose line or headers the container could not read, or would not: too long, a path with
 * an encoded slash. They reach no controller; one whose path is unknown too gets problem details.
 */
@Component
class MalformedRequestHandler implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

  private static final Logger LOG = LoggerFactory.getLogger(MalformedRequestHandler.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final IdentifierSource identifiers;
  private final ErrorResponses answers;

  MalformedRequestHandler(IdentifierSource identifiers, ErrorResponses answers) {
    this.identifiers = identifiers;
    this.answers = answers;
  }

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    // Added behind the container's own valve and so asked before it.
    factory.addContextCustomizers(
        context -> context.getParent().getPipeline().addValve(new Answering()));
  }

  /** A protocol or an encoding that nobody knows is a 505 or a 501 of the container. */
  private static boolean isTheCallers(int status) {
    return status < 500 || status == 501 || status == 505;
  }

  private final class Answering extends ErrorReportValve {

    @Override
    protected void report(Request request, Response response, Throwable fault) {
      if (response.getStatus() < 400
          || response.getContentWritten() > 0
          || !response.setErrorReported()) {
        return;
      }
      String id = identifiers.next();
      ProblemException problem =
          isTheCallers(response.getStatus())
              ? ProblemException.of(
                  ErrorCode.MALFORMED_REQUEST,
                  "The request's line or headers cannot be read: they must be percent-encoded,"
                      + " a path without encoded slashes, and no longer than 32 KiB.")
              : ProblemException.of(
                  ErrorCode.INTERNAL,
                  "A fault in Tidemark. Report the id of this error; it is in the log.");
      if (problem.code() == ErrorCode.INTERNAL) {
        LOG.error("{} the container answered {}", id, response.getStatus(), fault);
      }
      String path = request.getRequestURI();
      String shape = path == null || path.isEmpty() ? "/api/" : path;
      byte[] body =
          JSON.writeValueAsString(answers.body(shape, id, problem))
              .getBytes(StandardCharsets.UTF_8);
      response.setStatus(problem.code().status());
      response.setContentType(answers.type(shape).toString());
      response.setContentLength(body.length);
      try {
        response.getOutputStream().write(body);
        response.finishResponse();
      } catch (IOException gone) {
        LOG.debug("Nobody waits for the answer any more", gone);
      }
    }
  }
}
