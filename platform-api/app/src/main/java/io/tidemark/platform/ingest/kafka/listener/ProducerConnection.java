package io.tidemark.platform.ingest.kafka.listener;

import io.tidemark.platform.access.Authentication;
import io.tidemark.platform.ingest.application.BatchReceiver;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.function.Predicate;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;
import org.jspecify.annotations.Nullable;

/**
 * One producer, from the first request to the last, answered in order. Whatever is not of the
 * protocol ends the connection. Credentials are an API key, id and secret, by SASL/PLAIN, and are
 * checked again with every batch, so that a revoked key ends here as soon as everywhere else.
 */
final class ProducerConnection {

  /** An API key and its version; enough to know how large a frame may be. */
  private static final int FRAME_START = 4;

  /** A larger request ends the connection: nobody reads it only to say that it is too large. */
  private static final int MAX_DISCARDED_FRAME = 256 * 1024 * 1024;

  private static final int ROOM_FOR_NAMES = 64 * 1024;
  private static final Duration IDLE = Duration.ofMinutes(10);

  /** From the connection to good credentials. */
  private static final Duration TO_LOG_IN = Duration.ofSeconds(10);

  private static final Duration FRAME_START_PATIENCE = Duration.ofSeconds(5);

  /** Brokers wait as long, so that a client reads why before the connection ends. */
  private static final Duration REFUSAL_DELAY = Duration.ofMillis(200);

  private final Socket socket;
  private final String advertised;
  private final Authentication authentication;
  private final BatchReceiver gateway;
  private final InFlightByteLimiter inFlight;
  private final ProduceRequestHandler batches;
  private final Predicate<TenantId> admission;
  private final long opened = System.nanoTime();
  private @Nullable String authorization;
  private @Nullable TenantId tenant;

  ProducerConnection(
      Socket socket,
      String advertised,
      Authentication authentication,
      BatchReceiver gateway,
      InFlightByteLimiter inFlight,
      Predicate<TenantId> admission) {
    this.socket = socket;
    this.advertised = advertised;
    this.authentication = authentication;
    this.gateway = gateway;
    this.inFlight = inFlight;
    this.batches = new ProduceRequestHandler(gateway);
    this.admission = admission;
  }

  /** Answers until the producer goes, or is sent away. */
  void serve() throws IOException {
    socket.setTcpNoDelay(true);
    FrameReader frames = new FrameReader(socket);
    boolean goesOn = true;
    while (goesOn) {
      int size = frames.size(patience());
      if (size < FRAME_START) {
        return;
      }
      byte[] start = frames.part(FRAME_START, FRAME_START_PATIENCE);
      if (size > largest(start)) {
        goesOn = refuseLarge(start, size, frames);
        continue;
      }
      // What strangers send is too small to be counted, and must not wait for others' room.
      try (InFlightByteLimiter.Reservation holding = inFlight.hold(tenant)) {
        ByteBuffer request =
            ByteBuffer.wrap(
                authorization == null
                    ? frames.restOfSmall(start, size, patience())
                    : frames.rest(start, size, holding));
        goesOn = RequestLimits.allow(request) && answer(request, holding);
      }
    }
  }

  /**
   * Says that a request of records is too large, for every partition of it, so that the producer
   * splits it or gives it up and does not send it for ever. Whether the connection goes on.
   */
  private boolean refuseLarge(byte[] start, int size, FrameReader frames) throws IOException {
    ByteBuffer named = ByteBuffer.wrap(start);
    short api = named.getShort();
    short version = named.getShort();
    if (authorization == null
        || api != ApiKeys.PRODUCE.id
        || !KafkaResponses.isServed(ApiKeys.PRODUCE, version)
        || size > MAX_DISCARDED_FRAME) {
      return false;
    }
    try {
      gateway.read(authentication.authenticate(authorization), size);
    } catch (ProblemException refused) {
      return false;
    }
    ProduceRequestOutline outline =
        ProduceRequestOutline.read(version, frames.unkept(size - start.length));
    if (outline == null) {
      return false;
    }
    if (outline.request().acks() != 0) {
      write(
          outline.header(),
          version,
          ProduceRequestHandler.tooLarge(outline.request(), gateway.maxBody()));
    }
    return true;
  }

  private Duration patience() {
    return authorization == null ? TO_LOG_IN.minusNanos(System.nanoTime() - opened) : IDLE;
  }

  private long largest(byte[] start) {
    if (authorization == null) {
      return RequestLimits.MAX_UNAUTHENTICATED_FRAME;
    }
    return ByteBuffer.wrap(start).getShort() == ApiKeys.PRODUCE.id
        ? gateway.maxBody() + ROOM_FOR_NAMES
        : RequestLimits.MAX_SMALL_FRAME;
  }

  /** Whether the connection goes on. */
  private boolean answer(ByteBuffer request, InFlightByteLimiter.Reservation holding)
      throws IOException {
    int size = request.remaining();
    RequestHeader header = RequestHeader.parse(request);
    ApiKeys api = header.apiKey();
    short version = header.apiVersion();
    if (api == ApiKeys.API_VERSIONS) {
      boolean known = KafkaResponses.isServed(api, version);
      short answered = known ? version : 0;
      write(
          header,
          answered,
          KafkaResponses.versions(known ? Errors.NONE : Errors.UNSUPPORTED_VERSION));
      return true;
    }
    if (!KafkaResponses.isServed(api, version)) {
      return false;
    }
    ByteBufferAccessor body = new ByteBufferAccessor(request);
    if (api == ApiKeys.SASL_HANDSHAKE) {
      boolean plain =
          new SaslHandshakeRequestData(body, version).mechanism().equals(KafkaResponses.MECHANISM);
      write(header, version, KafkaResponses.handshake(plain));
      return plain;
    }
    if (api == ApiKeys.SASL_AUTHENTICATE) {
      String refusal = logIn(new SaslAuthenticateRequestData(body, version).authBytes());
      if (refusal != null) {
        InterruptibleDelay.millis(REFUSAL_DELAY.toMillis());
      }
      write(header, version, KafkaResponses.authenticated(refusal));
      return refusal == null;
    }
    if (authorization == null) {
      return false;
    }
    return answerKnown(header, body, size, holding);
  }

  private boolean answerKnown(
      RequestHeader header,
      ByteBufferAccessor body,
      int size,
      InFlightByteLimiter.Reservation holding)
      throws IOException {
    short version = header.apiVersion();
    Caller caller;
    try {
      caller = authentication.authenticate(authorization);
      caller.require(Permission.METRICS_WRITE);
    } catch (ProblemException refused) {
      if (header.apiKey() == ApiKeys.PRODUCE) {
        ProduceRequestData sent = new ProduceRequestData(body, version);
        write(header, version, ProduceRequestHandler.refused(sent, refused));
      }
      // Whoever comes again is told why at the log-in.
      return false;
    }
    if (header.apiKey() != ApiKeys.PRODUCE) {
      gateway.read(caller, size);
      batches.awaitQuota(caller);
    }
    if (header.apiKey() == ApiKeys.METADATA) {
      MetadataRequestData asked = new MetadataRequestData(body, version);
      write(header, version, KafkaResponses.metadata(asked, topic(caller), host(), port()));
    } else if (header.apiKey() == ApiKeys.INIT_PRODUCER_ID) {
      InitProducerIdRequestData asked = new InitProducerIdRequestData(body, version);
      write(header, version, KafkaResponses.producerId(asked.transactionalId() == null));
    } else if (header.apiKey() == ApiKeys.FETCH) {
      write(header, version, KafkaResponses.nothingToRead());
    } else if (header.apiKey() == ApiKeys.FIND_COORDINATOR) {
      write(header, version, KafkaResponses.noCoordinator(version));
    } else {
      gateway.read(caller, size);
      ProduceRequestData sent = new ProduceRequestData(body, version);
      ApiMessage answer = batches.receive(caller, topic(caller), sent, holding);
      if (sent.acks() != 0) {
        write(header, version, answer);
      }
    }
    return true;
  }

  /** Null, or why not. */
  private @Nullable String logIn(byte[] plain) throws IOException {
    // authorisation identity, user and password, each ended by a zero byte but the last
    String[] parts = new String(plain, StandardCharsets.UTF_8).split("\0", -1);
    if (parts.length != 3) {
      return "Send SASL/PLAIN with the id of an API key as user and its secret as password.";
    }
    String credentials = parts[1] + ":" + parts[2];
    String presented =
        "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    try {
      Caller caller = authentication.authenticate(presented);
      caller.require(Permission.METRICS_WRITE);
      if (!admission.test(caller.organization())) {
        // As above: it may connect when another of its connections has ended.
        throw new IOException("The tenant has as many connections as one may have");
      }
      tenant = caller.organization();
    } catch (ProblemException refused) {
      if (refused.code() == ErrorCode.CONTROL_PLANE_UNAVAILABLE) {
        // To producers a refusal is final, an end of the connection is not.
        throw new IOException("Credentials cannot be checked", refused);
      }
      return String.join(" ", refused.details());
    }
    authorization = presented;
    return null;
  }

  /** The one topic that a key may write to. */
  static String topic(Caller caller) {
    return "otlp.metrics." + caller.organization() + "." + caller.environment();
  }

  private String host() {
    return advertised.isBlank()
        ? socket.getLocalAddress().getHostAddress()
        : advertised.substring(0, advertised.lastIndexOf(':'));
  }

  private int port() {
    return advertised.isBlank()
        ? socket.getLocalPort()
        : Integer.parseInt(advertised.substring(advertised.lastIndexOf(':') + 1));
  }

  private void write(RequestHeader header, short version, ApiMessage body) throws IOException {
    ByteBuffer answer =
        RequestUtils.serialize(
            header.toResponseHeader().data(),
            header.apiKey().responseHeaderVersion(version),
            body,
            version);
    ByteBuffer frame = ByteBuffer.allocate(4 + answer.remaining());
    frame.putInt(answer.remaining()).put(answer);
    socket.getOutputStream().write(frame.array());
  }
}
