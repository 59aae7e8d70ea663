package io.tidemark.platform.ingest.grpc;

import io.grpc.DecompressorRegistry;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.tidemark.platform.access.Authentication;
import io.tidemark.platform.ingest.IngestProperties;
import io.tidemark.platform.ingest.application.BatchReceiver;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Opens the port of OTLP/gRPC with the application and closes it before Kafka is let go. */
@Component
public final class OtlpGrpcServer implements SmartLifecycle {

  private static final int SECONDS_TO_FINISH = 10;

  private final IngestProperties properties;
  private final Server server;
  private volatile boolean running;

  OtlpGrpcServer(
      IngestProperties properties,
      Authentication authentication,
      BatchReceiver gateway,
      InFlightByteLimiter inFlight) {
    this.properties = properties;
    this.server =
        NettyServerBuilder.forAddress(address(properties))
            .addService(new OtlpGrpcMetrics(gateway, inFlight).definition())
            .intercept(new GrpcAuthentication(authentication, gateway))
            .addStreamTracerFactory(WireBytes.counting())
            .decompressorRegistry(
                DecompressorRegistry.getDefaultInstance().with(new ZstdCodec(), true))
            .decompressorRegistry(
                DecompressorRegistry.getDefaultInstance().with(new ZstdCodec(), true))
            // Above the limit of bodies, so that a body just over it gets our own answer.
            .maxInboundMessageSize((int) (2 * gateway.greatestBody()))
            .maxConnectionIdle(10, TimeUnit.MINUTES)
            .build();
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
    server.shutdown();
    try {
      if (!server.awaitTermination(SECONDS_TO_FINISH, TimeUnit.SECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException interrupted) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
