package io.tidemark.platform.kafka;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that reads from Kafka until it is stopped, and begins again after a failure. */
public final class KafkaConsumerLoop {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaConsumerLoop.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long PAUSE_MS = 1_000;

  /** What is done with one connection. */
  @FunctionalInterface
  public interface Reading {

    /** Reads until {@link #isStopping}, or until it wants to begin again. */
    void read(Consumer<byte[], byte[]> consumer);
  }

  private final String name;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final Reading reading;
  private final Runnable lost;
  private volatile boolean stopping;
  private boolean failing;
  private Thread thread;

  /**
   * Nothing is read yet.
   *
   * @param name of the thread
   * @param consumers makes one that is to be used for one connection
   * @param lost what was read may be old from now on
   */
  public KafkaConsumerLoop(
      String name, Supplier<Consumer<byte[], byte[]>> consumers, Reading reading, Runnable lost) {
    this.name = name;
    this.consumers = consumers;
    this.reading = reading;
    this.lost = lost;
  }

  public boolean isStopping() {
    return stopping;
  }

  /** Has to be told by what reads, so that the next failure is worth a line in the log. */
  public void works() {
    failing = false;
  }

  public synchronized void start() {
    stopping = false;
    thread = new Thread(this::runUntilStopped, name);
    thread.setDaemon(true);
    thread.start();
  }

  public void stop() {
    Thread running;
    synchronized (this) {
      stopping = true;
      running = thread;
      thread = null;
    }
    if (running == null) {
      return;
    }
    running.interrupt();
    try {
      running.join(PATIENCE.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  public synchronized boolean isRunning() {
    return thread != null;
  }

  private void runUntilStopped() {
    while (!stopping) {
      try (Consumer<byte[], byte[]> consumer = consumers.get()) {
        reading.read(consumer);
      } catch (RuntimeException failure) {
        if (!stopping) {
          if (!failing) {
            LOG.warn("{} cannot read; trying again: {}", name, failure.toString());
          }
          failing = true;
        }
      }
      lost.run();
      if (!stopping) {
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
