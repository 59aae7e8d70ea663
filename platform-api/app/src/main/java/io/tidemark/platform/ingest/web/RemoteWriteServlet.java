package io.tidemark.platform.ingest.web;

import io.tidemark.platform.access.Authentication;
import io.tidemark.platform.ingest.application.BatchReceiver;
import io.tidemark.platform.ingest.domain.IdempotencyKey;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.domain.IngestOutcome.Malformed;
import io.tidemark.platform.ingest.domain.IngestOutcome.OverQuota;
import io.tidemark.platform.ingest.domain.IngestOutcome.TooLarge;
import io.tidemark.platform.ingest.domain.ReadSlots;
import io.tidemark.platform.ingest.prometheus.RemoteWriteDecoder;
import io.tidemark.platform.ingest.prometheus.RemoteWriteLimits;
import io.tidemark.platform.ingest.prometheus.RemoteWriteVersion;
import io.tidemark.platform.ingest.prometheus.SnappyBlock;
import io.tidemark.platform.ingest.web.BodyReader.ReadResult;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code POST /api/v1/write}: Prometheus remote write 1.0 and 2.0. */
final class RemoteWriteServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(RemoteWriteServlet.class);

  private final transient Authentication authentication;
  private final transient BatchReceiver gateway;
  private final transient InFlightByteLimiter inFlight;
  private final transient ReadSlots slots;
  private final transient BodyReader reader;
  private final transient RemoteWriteLimits limits;

  RemoteWriteServlet(
      Authentication authentication,
      BatchReceiver gateway,
      InFlightByteLimiter inFlight,
      ReadSlots slots) {
    this.authentication = authentication;
    this.gateway = gateway;
    this.inFlight = inFlight;
    this.slots = slots;
    this.reader = new BodyReader(gateway.maxBody());
    this.limits = RemoteWriteLimits.ofRecord((int) gateway.maxBody());
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      if (!"POST".equals(request.getMethod())) {
        response.setHeader("Allow", "POST");
        RemoteWriteResponse.error(405, "Use POST.").write(response);
        return;
      }
      Caller caller = authentication.authenticate(request.getHeader("Authorization"));
      caller.require(Permission.METRICS_WRITE);
      Optional<RemoteWriteVersion> version = RemoteWriteContent.version(request.getContentType());
      if (version.isEmpty()) {
        RemoteWriteResponse.error(415, RemoteWriteContent.TYPES).write(response);
      } else if (!RemoteWriteContent.isSnappy(request.getHeader("Content-Encoding"))) {
        RemoteWriteResponse.error(415, RemoteWriteContent.ENCODINGS).write(response);
      } else {
        RateLimitHeaders.set(response, gateway.standings(caller));
        Optional<OverQuota> over = gateway.admit(caller, version.get().protocol());
        if (over.isPresent()) {
          RemoteWriteResponse.to(over.get(), version.get(), RemoteWriteDecoder.Written.NOTHING)
              .write(response);
        } else {
          receive(request, response, caller, version.get());
        }
      }
    } catch (ProblemException problem) {
      RemoteWriteResponse.to(problem).write(response);
    } catch (RuntimeException fault) {
      LOG.error("A request to /api/v1/write failed", fault);
      RemoteWriteResponse.fault().write(response);
    }
  }

  private void receive(
      HttpServletRequest request,
      HttpServletResponse response,
      Caller caller,
      RemoteWriteVersion version)
      throws IOException {
    IdempotencyKey key = IdempotencyKey.of(request.getHeader(IdempotencyKey.HEADER));
    InFlightByteLimiter.Reservation holding = inFlight.hold(caller.organization());
    boolean handedOver = false;
    try {
      CountingInputStream in = new CountingInputStream(request.getInputStream());
      ReadResult reading =
          slots.take(caller.organization())
              ? read(in, request, caller, holding)
              : new ReadResult.NoRoom();
      if (reading instanceof ReadResult.Body compressed) {
        reading = decompressed(compressed.bytes(), holding);
      }
      if (reading instanceof ReadResult.Body body) {
        RemoteWriteDecoder decoder = new RemoteWriteDecoder(version, limits);
        AsyncResponse.to(
            request,
            gateway.receive(caller, version.protocol(), key, body.bytes(), decoder),
            holding,
            (later, outcome) ->
                (outcome == null
                        ? RemoteWriteResponse.fault()
                        : RemoteWriteResponse.to(outcome, version, decoder.written()))
                    .write(later));
        handedOver = true;
      } else {
        holding.close();
        unread(reading, version).write(response);
      }
    } finally {
      if (!handedOver) {
        holding.close();
      }
    }
  }

  private ReadResult read(
      CountingInputStream in,
      HttpServletRequest request,
      Caller caller,
      InFlightByteLimiter.Reservation holding)
      throws IOException {
    try {
      return reader.read(in, BodyEncoding.IDENTITY, request.getContentLengthLong(), holding);
    } finally {
      slots.giveBack(caller.organization());
      gateway.read(caller, in.count());
    }
  }

  private ReadResult decompressed(byte[] block, InFlightByteLimiter.Reservation holding) {
    OptionalLong declared = SnappyBlock.declaredSize(block);
    if (declared.isEmpty()) {
      return new ReadResult.Damaged(RemoteWriteContent.DAMAGED);
    }
    if (declared.getAsLong() > gateway.maxBody()) {
      return new ReadResult.OverLimit();
    }
    int size = (int) declared.getAsLong();
    if (!holding.grow(size)) {
      return new ReadResult.NoRoom();
    }
    try {
      return new ReadResult.Body(SnappyBlock.content(block, size));
    } catch (IOException damaged) {
      return new ReadResult.Damaged(RemoteWriteContent.DAMAGED);
    }
  }

  private RemoteWriteResponse unread(ReadResult reading, RemoteWriteVersion version) {
    if (reading instanceof ReadResult.OverLimit) {
      return RemoteWriteResponse.to(
          new TooLarge(gateway.maxBody()), version, RemoteWriteDecoder.Written.NOTHING);
    } else if (reading instanceof ReadResult.Damaged damaged) {
      return RemoteWriteResponse.to(
          new Malformed(damaged.detail()), version, RemoteWriteDecoder.Written.NOTHING);
    }
    return reading instanceof ReadResult.TooSlow
        ? RemoteWriteResponse.tooSlow()
        : RemoteWriteResponse.noRoom();
  }
}
