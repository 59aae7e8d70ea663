package io.tidemark.platform.ingest.web;

import com.google.protobuf.Message;
import com.google.rpc.Code;
import com.google.rpc.Status;
import io.tidemark.platform.ingest.domain.IngestOutcome;
import io.tidemark.platform.ingest.domain.IngestOutcome.Accepted;
import io.tidemark.platform.ingest.domain.IngestOutcome.KeyReused;
import io.tidemark.platform.ingest.domain.IngestOutcome.Malformed;
import io.tidemark.platform.ingest.domain.IngestOutcome.NotStored;
import io.tidemark.platform.ingest.domain.IngestOutcome.OverQuota;
import io.tidemark.platform.ingest.domain.IngestOutcome.TooLarge;
import io.tidemark.platform.ingest.otlp.RpcStatus;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * An answer of OTLP over HTTP.
 *
 * @param status HTTP status
 * @param body ExportMetricsServiceResponse for 200, google.rpc.Status otherwise
 * @param headers beside Content-Type
 */
record OtlpHttpResponse(int status, Message body, Map<String, String> headers) {

  static OtlpHttpResponse to(IngestOutcome outcome) {
    if (outcome instanceof Accepted accepted) {
      return new OtlpHttpResponse(
          200, RpcStatus.response(accepted), ReceiptHeader.of(accepted.receipt()));
    } else if (outcome instanceof Malformed malformed) {
      return error(400, RpcStatus.of(malformed));
    } else if (outcome instanceof KeyReused reused) {
      return error(ErrorCode.IDEMPOTENCY_KEY_REUSED.status(), RpcStatus.of(reused));
    } else if (outcome instanceof TooLarge tooLarge) {
      return error(413, RpcStatus.of(tooLarge));
    } else if (outcome instanceof NotStored notStored) {
      return retryLater(RpcStatus.of(notStored), notStored.retryAfter());
    } else if (outcome instanceof OverQuota over) {
      return new OtlpHttpResponse(
          429,
          RpcStatus.of(over),
          Map.of("Retry-After", Long.toString(over.retryAfter().toSeconds())));
    }
    throw new IllegalStateException("Unknown outcome " + outcome);
  }

  static OtlpHttpResponse to(ProblemException problem) {
    Map<String, String> headers = new TreeMap<>();
    if (problem.code() == ErrorCode.UNAUTHENTICATED) {
      headers.put("WWW-Authenticate", "Basic realm=\"tidemark\"");
    }
    problem
        .retryAfter()
        .ifPresent(wait -> headers.put("Retry-After", Long.toString(wait.toSeconds())));
    return new OtlpHttpResponse(problem.code().status(), RpcStatus.of(problem), headers);
  }

  static OtlpHttpResponse error(int status, Status body) {
    return new OtlpHttpResponse(status, body, Map.of());
  }

  static OtlpHttpResponse retryLater(Status body, Duration wait) {
    return new OtlpHttpResponse(503, body, Map.of("Retry-After", Long.toString(wait.toSeconds())));
  }

  static OtlpHttpResponse notFoundPage() {
    return error(
        404,
        RpcStatus.of(
            Code.NOT_FOUND,
            "This port takes metrics only: POST OTLP to /v1/metrics, Prometheus remote write to"
                + " /api/v1/write."));
  }

  void write(HttpServletResponse response, WireFormat format) throws IOException {
    byte[] bytes = format.write(body);
    response.setStatus(status);
    response.setContentType(format.mediaType());
    headers.forEach(response::setHeader);
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
