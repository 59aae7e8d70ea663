package io.tidemark.platform.ingest.kafka.listener;

import io.tidemark.platform.access.Authentication;
import io.tidemark.platform.ingest.application.BatchReceiver;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.tls.DoorCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Opens the port of Kafka producers with the application and closes it before Kafka is let go. */
@Component
@ConditionalOnRole(ProcessRole.INGEST)
public final class KafkaListenerServer implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaListenerServer.class);
  private static final int SECONDS_TO_FINISH = 10;

  private final KafkaListenerProperties properties;
  private final Authentication authentication;
  private final BatchReceiver gateway;
  private final InFlightByteLimiter inFlight;
  private final DoorCertificate certificate;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ConnectionShares<Socket> shares;
  private volatile @Nullable ServerSocket server;
  private @Nullable ExecutorService threads;

  KafkaListenerServer(
      KafkaListenerProperties properties,
      Authentication authentication,
      BatchReceiver gateway,
      InFlightByteLimiter inFlight,
      DoorCertificate certificate) {
    this.certificate = certificate;
    this.properties = properties;
    this.authentication = authentication;
    this.gateway = gateway;
    this.inFlight = inFlight;
    this.shares = new ConnectionShares<>(properties.connections());
  }

  @Override
  public synchronized void start() {
    ExecutorService serving =
        new ThreadPoolExecutor(
            0,
            ConnectionShares.threads(properties.connections()),
            30,
            TimeUnit.SECONDS,
            new SynchronousQueue<>());
    threads = serving;
    try {
      ServerSocket opened = new ServerSocket();
      opened.setReuseAddress(true);
      opened.bind(
          properties.address().isBlank()
              ? new InetSocketAddress(properties.port())
              : new InetSocketAddress(properties.address(), properties.port()));
      server = opened;
      new Thread(() -> accept(opened, serving), "kafka-door").start();
    } catch (IOException failure) {
      throw new IllegalStateException(
          "The door of Kafka producers cannot listen on port "
              + properties.port()
              + "; free it or set TIDEMARK_KAFKA_DOOR_PORT to another",
          failure);
    }
  }

  private void accept(ServerSocket opened, ExecutorService serving) {
    while (!opened.isClosed()) {
      try {
        Socket socket = opened.accept();
        open.add(socket);
        Socket oldest = shares.open(socket, socket.getInetAddress());
        if (oldest != null) {
          LOG.debug("A connection that did not say who it is makes room");
          close(oldest);
        }
        try {
          serving.execute(() -> serve(socket));
        } catch (java.util.concurrent.RejectedExecutionException full) {
          LOG.debug("A producer is turned away: {} are connected", properties.connections());
          close(socket);
        }
      } catch (IOException closed) {
        LOG.debug("No further producers are let in: {}", closed.toString());
      }
    }
  }

  /** Its bytes are encrypted where there is a certificate; who connects says nothing before. */
  private Socket encrypted(Socket socket) throws IOException {
    if (!certificate.isSet()) {
      return socket;
    }
    SSLSocket encrypted =
        (SSLSocket)
            certificate
                .context()
                .orElseThrow()
                .getSocketFactory()
                .createSocket(socket, InputStream.nullInputStream(), true);
    encrypted.setEnabledProtocols(DoorCertificate.PROTOCOLS);
    return encrypted;
  }

  private void serve(Socket socket) {
    try {
      new ProducerConnection(
              encrypted(socket),
              properties.advertised(),
              authentication,
              gateway,
              inFlight,
              tenant -> shares.authenticate(socket, tenant))
          .serve();
    } catch (IOException gone) {
      LOG.debug("A producer is gone: {}", gone.toString());
    } catch (RuntimeException notOfTheProtocol) {
      LOG.debug("A producer is cut off", notOfTheProtocol);
    } finally {
      close(socket);
    }
  }

  private void close(Socket socket) {
    open.remove(socket);
    shares.close(socket);
    try {
      socket.close();
    } catch (IOException closed) {
      LOG.debug("A connection was closed already", closed);
    }
  }

  /** The port in use; differs from the configured one only when that is 0. */
  public int port() {
    return Objects.requireNonNull(server).getLocalPort();
  }

  @Override
  public synchronized void stop() {
    try {
      Objects.requireNonNull(server).close();
    } catch (IOException closed) {
      LOG.debug("The door was closed already", closed);
    }
    server = null;
    // What is being answered is answered: reading ends, writing does not.
    open.forEach(KafkaListenerServer::endReading);
    ExecutorService serving = Objects.requireNonNull(threads);
    serving.shutdown();
    try {
      if (!serving.awaitTermination(SECONDS_TO_FINISH, TimeUnit.SECONDS)) {
        open.forEach(this::close);
        serving.shutdownNow();
      }
    } catch (InterruptedException stop) {
      serving.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private static void endReading(Socket socket) {
    try {
      socket.shutdownInput();
    } catch (IOException closed) {
      LOG.debug("A connection was closed already", closed);
    }
  }

  @Override
  public boolean isRunning() {
    return server != null;
  }
}
