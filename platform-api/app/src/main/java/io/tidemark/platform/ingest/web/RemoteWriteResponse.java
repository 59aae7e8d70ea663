package io.tidemark.platform.ingest.web;

import io.tidemark.platform.ingest.domain.IngestOutcome;
import io.tidemark.platform.ingest.domain.IngestOutcome.Accepted;
import io.tidemark.platform.ingest.domain.IngestOutcome.KeyReused;
import io.tidemark.platform.ingest.domain.IngestOutcome.Malformed;
import io.tidemark.platform.ingest.domain.IngestOutcome.NotStored;
import io.tidemark.platform.ingest.domain.IngestOutcome.OverQuota;
import io.tidemark.platform.ingest.domain.IngestOutcome.TooLarge;
import io.tidemark.platform.ingest.prometheus.RemoteWriteDecoder.Written;
import io.tidemark.platform.ingest.prometheus.RemoteWriteVersion;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * An answer of remote write. Unlike OTLP, a batch of which a part was refused is an error, although
 * the rest is stored: the sender reads in the headers how much.
 *
 * @param status HTTP status
 * @param message for people; empty for none
 * @param headers beside Content-Type
 */
record RemoteWriteResponse(int status, String message, Map<String, String> headers) {

  private static final String PREFIX = "X-Prometheus-Remote-Write-";
  private static final String RETRY_AFTER = "Retry-After";

  static RemoteWriteResponse to(
      IngestOutcome outcome, RemoteWriteVersion version, Written written) {
    if (outcome instanceof Accepted accepted) {
      Map<String, String> headers = written(version, written);
      headers.putAll(ReceiptHeader.of(accepted.receipt()));
      return accepted.rejections().isEmpty()
          ? new RemoteWriteResponse(204, "", headers)
          : new RemoteWriteResponse(400, accepted.rejections().message(), headers);
    }
    Map<String, String> headers = written(version, Written.NOTHING);
    if (outcome instanceof Malformed malformed) {
      return new RemoteWriteResponse(400, malformed.detail(), headers);
    } else if (outcome instanceof KeyReused reused) {
      return new RemoteWriteResponse(
          ErrorCode.IDEMPOTENCY_KEY_REUSED.status(), reused.detail(), headers);
    } else if (outcome instanceof TooLarge tooLarge) {
      return new RemoteWriteResponse(
          413,
          "The body is larger than "
              + tooLarge.limitInBytes()
              + " bytes after decompression. Send fewer samples in a request"
              + " (max_samples_per_send).",
          headers);
    } else if (outcome instanceof NotStored notStored) {
      headers.put(RETRY_AFTER, seconds(notStored.retryAfter()));
      return new RemoteWriteResponse(503, notStored.detail(), headers);
    } else if (outcome instanceof OverQuota over) {
      headers.put(RETRY_AFTER, seconds(over.retryAfter()));
      return new RemoteWriteResponse(429, over.detail(), headers);
    }
    throw new IllegalStateException("Unknown outcome " + outcome);
  }

  /** Version 1.0 has no such headers, and a sender of both would take them for version 2.0. */
  private static Map<String, String> written(RemoteWriteVersion version, Written written) {
    Map<String, String> headers = new TreeMap<>();
    if (version == RemoteWriteVersion.V2) {
      headers.put(PREFIX + "Samples-Written", Long.toString(written.samples()));
      headers.put(PREFIX + "Histograms-Written", Long.toString(written.histograms()));
      headers.put(PREFIX + "Exemplars-Written", Long.toString(written.exemplars()));
    }
    return headers;
  }

  static RemoteWriteResponse to(ProblemException problem) {
    Map<String, String> headers = new TreeMap<>();
    if (problem.code() == ErrorCode.UNAUTHENTICATED) {
      headers.put("WWW-Authenticate", "Basic realm=\"tidemark\"");
    }
    problem.retryAfter().ifPresent(wait -> headers.put(RETRY_AFTER, seconds(wait)));
    return new RemoteWriteResponse(
        problem.code().status(), String.join(" ", problem.details()), headers);
  }

  static RemoteWriteResponse noRoom() {
    return new RemoteWriteResponse(
        503,
        "The gateway is at its limit of requests held in memory. Send the same bytes again.",
        Map.of(RETRY_AFTER, "1"));
  }

  static RemoteWriteResponse tooSlow() {
    return new RemoteWriteResponse(
        503,
        "The body came too slowly and was given up. Send smaller batches.",
        Map.of(RETRY_AFTER, "1"));
  }

  static RemoteWriteResponse fault() {
    return error(500, "A fault in Tidemark; it is in the log.");
  }

  static RemoteWriteResponse error(int status, String message) {
    return new RemoteWriteResponse(status, message, Map.of());
  }

  private static String seconds(Duration wait) {
    return Long.toString(Math.max(1, wait.toSeconds()));
  }

  void write(HttpServletResponse response) throws IOException {
    response.setStatus(status);
    headers.forEach(response::setHeader);
    if (!message.isEmpty()) {
      byte[] text = message.getBytes(StandardCharsets.UTF_8);
      response.setContentType("text/plain;charset=UTF-8");
      response.setContentLength(text.length);
      response.getOutputStream().write(text);
    }
  }
}
