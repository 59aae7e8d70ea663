package io.tidemark.platform.ingest.grpc;

import io.grpc.DecompressorRegistry;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.tidemark.platform.access.Authentication;
import io.tidemark.platform.ingest.IngestProperties;
import io.tidemark.platform.ingest.application.BatchReceiver;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.SpanRecorder;
import io.tidemark.platform.tls.DoorCertificate;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Opens the port of OTLP/gRPC with the application and closes it before Kafka is let go. */
@Component
@ConditionalOnRole(ProcessRole.INGEST)
public final class OtlpGrpcServer implements SmartLifecycle {

  private static final int SECONDS_TO_FINISH = 10;

  /** Calls are read and checked on these; none waits for Kafka. */
  private static final int THREADS = 32;

  /** A Collector keeps a few open; each may hold a message. */
  private static final int MAX_CALLS_PER_CONNECTION = 64;

  private static final int MAX_RESETS = 200;
  private static final int RESET_WINDOW_SECONDS = 10;
  private static final int MAX_METADATA_BYTES = 16 * 1024;

  private final IngestProperties properties;
  private final Server server;
  private final CallMeter.Factory meters = new CallMeter.Factory();
  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          30,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          new Named("otlp-grpc"));
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(new Named("otlp-grpc-rate"));
  private volatile boolean running;

  OtlpGrpcServer(
      IngestProperties properties,
      Authentication authentication,
      BatchReceiver gateway,
      InFlightByteLimiter inFlight,
      DoorCertificate certificate,
      SpanRecorder spans) {
    this.properties = properties;
    executor.allowCoreThreadTimeOut(true);
    NettyServerBuilder door =
        encrypted(NettyServerBuilder.forAddress(address(properties)), certificate);
    door.addService(new OtlpGrpcMetrics(gateway).definition())
        .intercept(new GrpcAuthentication(authentication, gateway, inFlight, executor))
        .addStreamTracerFactory(meters)
        .executor(executor)
        .decompressorRegistry(DecompressorRegistry.getDefaultInstance().with(new ZstdCodec(), true))
        // Above the limit of bodies, so that a body just over it gets our own answer.
        .maxInboundMessageSize((int) (2 * gateway.maxBody()))
        .maxInboundMetadataSize(MAX_METADATA_BYTES)
        .maxConcurrentCallsPerConnection(MAX_CALLS_PER_CONNECTION)
        .maxRstFramesPerWindow(MAX_RESETS, RESET_WINDOW_SECONDS)
        .handshakeTimeout(10, TimeUnit.SECONDS)
        .maxConnectionIdle(10, TimeUnit.MINUTES)
        .maxConnectionAge(30, TimeUnit.MINUTES)
        .maxConnectionAgeGrace(1, TimeUnit.MINUTES);
    if (spans.isOn()) {
      // What is added last is called first.
      door.intercept(new CallSpans(spans));
    }
    this.server = door.build();
  }

  private static NettyServerBuilder encrypted(
      NettyServerBuilder server, DoorCertificate certificate) {
    if (!certificate.isSet()) {
      return server;
    }
    try {
      return server.sslContext(
          GrpcSslContexts.configure(
                  SslContextBuilder.forServer(certificate.keyManager().orElseThrow()),
                  SslProvider.JDK)
              .protocols(DoorCertificate.PROTOCOLS)
              .build());
    } catch (SSLException broken) {
      throw new IllegalStateException("OTLP/gRPC cannot be encrypted", broken);
    }
  }

  private static InetSocketAddress address(IngestProperties properties) {
    return properties.address().isBlank()
        ? new InetSocketAddress(properties.grpcPort())
        : new InetSocketAddress(properties.address(), properties.grpcPort());
  }

  @Override
  public void start() {
    try {
      server.start();
      var unused = clock.scheduleWithFixedDelay(meters::refuseSlow, 1, 1, TimeUnit.SECONDS);
      running = true;
    } catch (IOException failure) {
      throw new IllegalStateException(
          "OTLP/gRPC cannot listen on port "
              + properties.grpcPort()
              + "; free it or set TIDEMARK_OTLP_GRPC_PORT to another",
          failure);
    }
  }

  /** The port in use; differs from the configured one only when that is 0. */
  public int port() {
    return server.getPort();
  }

  @Override
  public void stop() {
    running = false;
    clock.shutdownNow();
    server.shutdown();
    try {
      if (!server.awaitTermination(SECONDS_TO_FINISH, TimeUnit.SECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException interrupted) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    executor.shutdown();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private static final class Named implements ThreadFactory {

    private final String name;
    private final AtomicInteger next = new AtomicInteger();

    Named(String name) {
      this.name = name;
    }

    @Override
    public Thread newThread(Runnable work) {
      Thread thread = new Thread(work, name + "-" + next.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    }
  }
}
