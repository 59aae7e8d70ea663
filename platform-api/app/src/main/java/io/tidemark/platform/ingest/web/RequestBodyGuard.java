package io.tidemark.platform.ingest.web;

import io.tidemark.platform.ingest.domain.ReceiveRate;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.apache.coyote.InputBuffer;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.jspecify.annotations.Nullable;

/**
 * Gives up request bodies that arrive more slowly than {@link ReceiveRate#MINIMUM}, on every port
 * and whoever reads them: the container's forms, the APIs or the ingest ports. Reads the rest of a
 * body that was refused for a short time only, and of a few requests at a time, so that senders get
 * their answer and not a reset, and strangers hold no threads.
 */
final class RequestBodyGuard extends ValveBase {

  /** How long one read may wait; see {@link ReceiveRate} for the whole body. */
  static final Duration LONGEST_READ = Duration.ofSeconds(3);

  private static final int DRAINS = 8;
  private static final Duration DRAIN = Duration.ofSeconds(2);

  private final Semaphore drains = new Semaphore(DRAINS);

  RequestBodyGuard() {
    super(true);
  }

  /** Whether a body could not be read because it came too slowly. */
  static boolean isTooSlow(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SlowBodyException || cause instanceof SocketTimeoutException) {
        return true;
      }
    }
    return false;
  }

  private static final class SlowBodyException extends IOException {

    private static final long serialVersionUID = 1L;

    SlowBodyException() {
      super("The body came too slowly");
    }
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    org.apache.coyote.Request exchange = request.getCoyoteRequest();
    exchange.setInputBuffer(RatedInput.around(exchange.getInputBuffer()));
    getNext().invoke(request, response);
    if (!request.isAsync() && !exchange.isFinished()) {
      response.finishResponse();
      if (drains.tryAcquire()) {
        try {
          drain(exchange);
        } finally {
          drains.release();
        }
      }
      if (!exchange.isFinished()) {
        exchange.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
      }
    }
  }

  private void drain(org.apache.coyote.Request exchange) {
    long end = System.nanoTime() + DRAIN.toNanos();
    Discard discard = new Discard();
    try {
      while (!exchange.isFinished() && System.nanoTime() < end) {
        if (exchange.getInputBuffer().doRead(discard) < 0) {
          return;
        }
      }
    } catch (IOException gone) {
      if (container.getLogger().isDebugEnabled()) {
        container.getLogger().debug("The rest of a body does not come", gone);
      }
    }
  }

  /** Counts what comes and the time that is waited for it. */
  private static final class RatedInput implements InputBuffer {

    private final InputBuffer delegate;
    private long bytes;
    private long nanos;

    private RatedInput(InputBuffer delegate) {
      this.delegate = delegate;
    }

    /** The container uses its own again for the next request of a connection. */
    static RatedInput around(InputBuffer input) {
      return new RatedInput(input instanceof RatedInput rated ? rated.delegate : input);
    }

    @Override
    public int doRead(ApplicationBufferHandler handler) throws IOException {
      long before = System.nanoTime();
      int read = delegate.doRead(handler);
      nanos += System.nanoTime() - before;
      bytes += Math.max(0, read);
      if (read > 0 && ReceiveRate.MINIMUM.isMissedBy(bytes, nanos)) {
        throw new SlowBodyException();
      }
      return read;
    }

    @Override
    public int available() {
      return delegate.available();
    }
  }

  private static final class Discard implements ApplicationBufferHandler {

    private @Nullable ByteBuffer chunk;

    @Override
    public void setByteBuffer(ByteBuffer buffer) {
      chunk = buffer;
    }

    @Override
    public @Nullable ByteBuffer getByteBuffer() {
      return chunk;
    }

    @Override
    public void expand(int size) {
      // The container gives buffers of its own.
    }
  }
}
