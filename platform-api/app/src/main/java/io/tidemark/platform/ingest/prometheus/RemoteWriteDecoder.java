package io.tidemark.platform.ingest.prometheus;

import io.tidemark.platform.ingest.application.DecodeBatch;
import io.tidemark.platform.ingest.domain.PointRules;
import java.io.IOException;
import java.util.concurrent.Semaphore;

/**
 * Decodes one request of remote write. What is refused is left out and counted; the rest becomes
 * one OTLP request. For one request only: it remembers what the answer must tell.
 */
public final class RemoteWriteDecoder implements DecodeBatch {

  /** Small series take several times their bytes as parts of an assembly, so few at a time. */
  private static final Semaphore AT_A_TIME =
      new Semaphore(Math.max(2, Runtime.getRuntime().availableProcessors()));

  private final RemoteWriteVersion version;
  private final RemoteWriteLimits limits;
  private final KnownSeries knownSeries;
  private Written written = Written.NOTHING;

  /** A decoder that remembers nothing of other requests. */
  public RemoteWriteDecoder(RemoteWriteVersion version, RemoteWriteLimits limits) {
    this(version, limits, KnownSeries.NONE);
  }

  /**
   * A decoder that knows series of other requests.
   *
   * @param knownSeries of the same limits
   */
  public RemoteWriteDecoder(
      RemoteWriteVersion version, RemoteWriteLimits limits, KnownSeries knownSeries) {
    this.version = version;
    this.limits = limits;
    this.knownSeries = knownSeries;
  }

  /** What the accepted part of a request holds, in the units of remote write. */
  public record Written(long samples, long histograms, long exemplars) {

    public static final Written NOTHING = new Written(0, 0, 0);
  }

  @Override
  public DecodedBatch decode(byte[] body, PointRules rules) throws MalformedBatchException {
    AT_A_TIME.acquireUninterruptibly();
    try {
      RemoteWriteWalk walk = new RemoteWriteWalk(body, version, limits, knownSeries, rules);
      byte[] record = walk.record();
      written = walk.written();
      return new DecodedBatch(record, walk.points(), walk.rejections());
    } catch (IOException malformed) {
      throw new MalformedBatchException(
          "The body cannot be taken as a "
              + (version == RemoteWriteVersion.V1
                  ? "prometheus.WriteRequest"
                  : "io.prometheus.write.v2.Request")
              + ": "
              + malformed.getMessage(),
          malformed);
    } finally {
      AT_A_TIME.release();
    }
  }

  /** What {@link #decode} accepted; nothing before. */
  public Written written() {
    return written;
  }
}
