package io.tidemark.platform.kafka;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one Kafka consumer on a thread of its own and opens a new one after each failure.
 *
 * <p>Only the first failure of a row of failures is logged. A stop wakes the consumer up instead of
 * interrupting it, so that a member of a group leaves the group.
 */
public final class KafkaConsumerLoop {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaConsumerLoop.class);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);
  private static final long RETRY_MS = 1_000;

  /** What is done with one connection. */
  @FunctionalInterface
  public interface RecordHandler {

    /** Reads until {@link #isStopping}, or until it wants to begin again. */
    void read(Consumer<byte[], byte[]> consumer);
  }

  private final String name;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final RecordHandler reading;
  private final Runnable lost;
  private volatile boolean stopping;
  private volatile @Nullable Consumer<byte[], byte[]> consumer;
  private boolean failing;
  private @Nullable Thread thread;

  /**
   * Makes a loop that is not started.
   *
   * @param name of the thread
   * @param consumers makes one that is used for one connection and then closed
   * @param lost runs after each connection: what was read may be out of date from now on
   */
  public KafkaConsumerLoop(
      String name,
      Supplier<Consumer<byte[], byte[]>> consumers,
      RecordHandler reading,
      Runnable lost) {
    this.name = name;
    this.consumers = consumers;
    this.reading = reading;
    this.lost = lost;
  }

  /** Whether {@link #stop} was called; a reading returns soon after. */
  public boolean isStopping() {
    return stopping;
  }

  /** Says that the connection works, so that the next failure is logged. */
  public void works() {
    failing = false;
  }

  /** Starts the thread. */
  public synchronized void start() {
    stopping = false;
    thread = new Thread(this::runUntilStopped, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Stops the thread and waits for it, ten seconds at most. */
  public void stop() {
    Thread running;
    synchronized (this) {
      stopping = true;
      running = thread;
      thread = null;
      notifyAll();
    }
    if (running == null) {
      return;
    }
    Consumer<byte[], byte[]> open = consumer;
    if (open != null) {
      open.wakeup();
    }
    try {
      running.join(STOP_TIMEOUT.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the thread was started and not stopped. */
  public synchronized boolean isRunning() {
    return thread != null;
  }

  private void runUntilStopped() {
    while (!stopping) {
      try (Consumer<byte[], byte[]> opened = consumers.get()) {
        consumer = opened;
        if (!stopping) {
          reading.read(opened);
        }
      } catch (WakeupException stop) {
        LOG.debug("{} stops", name);
      } catch (RuntimeException failure) {
        if (!stopping) {
          if (!failing) {
            LOG.warn("{} cannot read; trying again: {}", name, failure.toString());
          }
          failing = true;
        }
      } finally {
        consumer = null;
      }
      lost.run();
      pause();
    }
  }

  private synchronized void pause() {
    try {
      if (!stopping) {
        wait(RETRY_MS);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
