package io.tidemark.platform.ingest.prometheus;

import io.tidemark.platform.ingest.application.BatchDecoder;
import io.tidemark.platform.ingest.domain.PointRules;
import java.io.IOException;

/**
 * Decodes one request of remote write. What is refused is left out and counted; the rest becomes
 * one OTLP request. For one request only: it remembers what the answer must tell.
 */
public final class RemoteWriteDecoder implements BatchDecoder {

  private static final PointBuffers BUFFERS =
      new PointBuffers(Math.max(2, Runtime.getRuntime().availableProcessors()));

  private final RemoteWriteVersion version;
  private final RemoteWriteLimits limits;
  private Written written = Written.NOTHING;

  public RemoteWriteDecoder(RemoteWriteVersion version, RemoteWriteLimits limits) {
    this.version = version;
    this.limits = limits;
  }

  /** What the accepted part of a request holds, in the units of remote write. */
  public record Written(long samples, long histograms, long exemplars) {

    public static final Written NOTHING = new Written(0, 0, 0);
  }

  @Override
  public DecodedBatch decode(byte[] body, PointRules rules) throws MalformedBatchException {
    ProtobufBytes points = BUFFERS.take();
    try {
      RemoteWriteReader walk = new RemoteWriteReader(body, version, limits, rules, points);
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
      BUFFERS.giveBack(points);
    }
  }

  /** What {@link #decode} accepted; nothing before. */
  public Written written() {
    return written;
  }
}
