package io.tidemark.platform.shared.web;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/** Requests are small: a body over 1 MiB is refused while it is read, also without its length. */
@ControllerAdvice
class BodyLimit extends RequestBodyAdviceAdapter {

  private static final int LIMIT = 1024 * 1024;

  private final HttpServletRequest request;

  BodyLimit(HttpServletRequest request) {
    this.request = request;
  }

  @Override
  public boolean supports(
      MethodParameter parameter,
      Type targetType,
      Class<? extends HttpMessageConverter<?>> converterType) {
    return true;
  }

  @Override
  public HttpInputMessage beforeBodyRead(
      HttpInputMessage message,
      MethodParameter parameter,
      Type targetType,
      Class<? extends HttpMessageConverter<?>> converterType)
      throws IOException {
    if (request.getContentLengthLong() > LIMIT) {
      throw tooLarge();
    }
    InputStream body = message.getBody();
    return new HttpInputMessage() {
      @Override
      public InputStream getBody() {
        return new LimitedStream(body);
      }

      @Override
      public HttpHeaders getHeaders() {
        return message.getHeaders();
      }
    };
  }

  private static ProblemException tooLarge() {
    return ProblemException.of(
        ErrorCode.BODY_TOO_LARGE, "A request has at most " + LIMIT + " bytes. Send a smaller one.");
  }

  private static final class LimitedStream extends InputStream {

    private final InputStream body;
    private long total;

    private LimitedStream(InputStream body) {
      this.body = body;
    }

    @Override
    public int read() throws IOException {
      int next = body.read();
      return count(next, next < 0 ? 0 : 1);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int read = body.read(target, offset, length);
      return count(read, Math.max(read, 0));
    }

    private int count(int result, int bytes) {
      total += bytes;
      if (total > LIMIT) {
        throw tooLarge();
      }
      return result;
    }
  }
}
