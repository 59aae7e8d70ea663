package io.tidemark.platform.ingest.web;

import com.google.rpc.Code;
import io.tidemark.platform.access.Authentication;
import io.tidemark.platform.ingest.application.BatchReceiver;
import io.tidemark.platform.ingest.domain.IdempotencyKey;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.domain.IngestOutcome;
import io.tidemark.platform.ingest.domain.IngestOutcome.Malformed;
import io.tidemark.platform.ingest.domain.IngestOutcome.OverQuota;
import io.tidemark.platform.ingest.domain.IngestOutcome.TooLarge;
import io.tidemark.platform.ingest.domain.ReadSlots;
import io.tidemark.platform.ingest.otlp.RpcStatus;
import io.tidemark.platform.ingest.web.BodyReader.ReadResult;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /v1/metrics}. A servlet and not a controller, because the body must be limited while
 * it is read and answers follow OTLP, not the error shape of the APIs. The thread is given back
 * while Kafka confirms.
 */
final class OtlpHttpServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(OtlpHttpServlet.class);
  private static final String PROTOCOL = "otlp_http";
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final transient Authentication authentication;
  private final transient BatchReceiver gateway;
  private final transient InFlightByteLimiter inFlight;
  private final transient ReadSlots slots;
  private final transient BodyReader reader;

  OtlpHttpServlet(
      Authentication authentication,
      BatchReceiver gateway,
      InFlightByteLimiter inFlight,
      ReadSlots slots) {
    this.authentication = authentication;
    this.gateway = gateway;
    this.inFlight = inFlight;
    this.slots = slots;
    this.reader = new BodyReader(gateway.maxBody());
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<WireFormat> named = WireFormat.of(request.getContentType());
    // An answer in a form that was not understood would not be read, so people get JSON.
    WireFormat format = named.orElse(WireFormat.JSON);
    try {
      if (!"POST".equals(request.getMethod())) {
        answer(
            response,
            format,
            new OtlpHttpResponse(
                405, RpcStatus.of(Code.UNIMPLEMENTED, "Use POST."), Map.of("Allow", "POST")));
        return;
      }
      Caller caller = authentication.authenticate(request.getHeader("Authorization"));
      caller.require(Permission.METRICS_WRITE);
      if (named.isEmpty()) {
        answer(
            response,
            format,
            unsupported("Send Content-Type: application/x-protobuf or application/json."));
        return;
      }
      RateLimitHeaders.set(response, gateway.standings(caller));
      Optional<OverQuota> over = gateway.admit(caller, PROTOCOL);
      if (over.isPresent()) {
        answer(response, format, OtlpHttpResponse.to(over.get()));
        return;
      }
      receive(request, response, caller, format);
    } catch (ProblemException problem) {
      answer(response, format, OtlpHttpResponse.to(problem));
    } catch (RuntimeException fault) {
      LOG.error("A request to /v1/metrics failed", fault);
      answer(response, format, fault());
    }
  }

  private void receive(
      HttpServletRequest request, HttpServletResponse response, Caller caller, WireFormat format)
      throws IOException {
    Optional<BodyEncoding> encoding = BodyEncoding.of(request.getHeader("Content-Encoding"));
    if (encoding.isEmpty()) {
      answer(response, format, unsupported(BodyEncoding.HINT));
      return;
    }
    IdempotencyKey key = IdempotencyKey.of(request.getHeader(IdempotencyKey.HEADER));
    InFlightByteLimiter.Reservation holding = inFlight.hold(caller.organization());
    boolean handedOver = false;
    try {
      CountingInputStream in = new CountingInputStream(request.getInputStream());
      ReadResult reading =
          slots.take(caller.organization())
              ? read(in, encoding.get(), request, caller, holding)
              : new ReadResult.NoRoom();
      if (reading instanceof ReadResult.Body body) {
        CompletionStage<IngestOutcome> outcome =
            gateway.receive(caller, PROTOCOL, key, body.bytes(), format.decoder());
        AsyncResponse.to(
            request,
            outcome,
            holding,
            (later, known) ->
                answer(later, format, known == null ? fault() : OtlpHttpResponse.to(known)));
        handedOver = true;
      } else {
        holding.close();
        answer(response, format, unread(reading));
      }
    } finally {
      if (!handedOver) {
        holding.close();
      }
    }
  }

  private ReadResult read(
      CountingInputStream in,
      BodyEncoding encoding,
      HttpServletRequest request,
      Caller caller,
      InFlightByteLimiter.Reservation holding)
      throws IOException {
    try {
      return reader.read(in, encoding, request.getContentLengthLong(), holding);
    } finally {
      slots.giveBack(caller.organization());
      gateway.read(caller, in.count());
    }
  }

  private OtlpHttpResponse unread(ReadResult reading) {
    if (reading instanceof ReadResult.OverLimit) {
      return OtlpHttpResponse.to(new TooLarge(gateway.maxBody()));
    } else if (reading instanceof ReadResult.Damaged damaged) {
      return OtlpHttpResponse.to(new Malformed(damaged.detail()));
    } else if (reading instanceof ReadResult.TooSlow) {
      return OtlpHttpResponse.retryLater(
          RpcStatus.passing(
              "The body came too slowly and was given up. Send smaller batches.", RETRY_AFTER),
          RETRY_AFTER);
    }
    return OtlpHttpResponse.retryLater(
        RpcStatus.passing(
            "The gateway is at its limit of requests held in memory. Send the same bytes again.",
            RETRY_AFTER),
        RETRY_AFTER);
  }

  private static void answer(
      HttpServletResponse response, WireFormat format, OtlpHttpResponse answer) throws IOException {
    answer.write(response, format);
  }

  private static OtlpHttpResponse unsupported(String detail) {
    return OtlpHttpResponse.error(415, RpcStatus.of(Code.INVALID_ARGUMENT, detail));
  }

  private static OtlpHttpResponse fault() {
    return OtlpHttpResponse.error(
        500, RpcStatus.of(Code.INTERNAL, "A fault in Tidemark; it is in the log."));
  }
}
