package io.tidemark.platform.ingest.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Context;
import io.grpc.Metadata;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.shared.TenantId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** What a message becomes is held while it is decompressed, not after. */
class ReceivedBodyTest {

  private static final int LIMIT = 16 * 1024 * 1024;
  private static final int SHARE = 1024 * 1024;

  private final InFlightByteLimiter limiter = new InFlightByteLimiter(2 * SHARE, SHARE);
  private final CallMeter.Factory calls = new CallMeter.Factory();

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(content);
    }
    return compressed.toByteArray();
  }

  /** Counts what is decompressed. */
  private static final class Counted extends InputStream {

    private final InputStream in;
    private long count;

    Counted(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      throw new UnsupportedOperationException("byte by byte");
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = in.read(into, offset, length);
      count += Math.max(0, read);
      return read;
    }
  }

  private CallMeter begin() {
    CallMeter meter = (CallMeter) calls.newServerStreamTracer("Export", new Metadata());
    meter.begin(limiter.hold(new TenantId("org-a")), status -> {});
    return meter;
  }

  private static ReceivedBody parse(CallMeter meter, InputStream message) throws Exception {
    return meter
        .filterContext(Context.ROOT)
        .call(() -> ReceivedBody.marshaller(LIMIT).parse(message));
  }

  @Test
  void aBombIsDecompressedNoFurtherThanThereIsRoom() throws Exception {
    byte[] bomb = gzip(new byte[LIMIT]);
    assertThat(bomb.length).isLessThan(20_000);
    CallMeter meter = begin();
    Counted content = new Counted(new GZIPInputStream(new ByteArrayInputStream(bomb)));

    assertThat(parse(meter, content).bytes()).isNull();
    assertThat(content.count).isLessThanOrEqualTo(2 * SHARE);
    assertThat(limiter.held()).isLessThanOrEqualTo(SHARE);
    meter.streamClosed(io.grpc.Status.OK);
    assertThat(limiter.held()).isZero();
  }

  @Test
  void aResetStreamHoldsItsBytesUntilTheBatchIsStored() throws Exception {
    CallMeter meter = begin();
    byte[] content = new byte[300_000];
    assertThat(parse(meter, new ByteArrayInputStream(content)).bytes()).isEqualTo(content);
    meter.retain();
    meter.streamClosed(io.grpc.Status.CANCELLED);
    assertThat(limiter.held()).isEqualTo(300_000);
    meter.release();
    assertThat(limiter.held()).isZero();
  }

  @Test
  void bytesAreHeldAsTheyComeOverTheWire() {
    CallMeter meter = begin();
    meter.inboundWireSize(1_000);
    assertThat(limiter.held()).isEqualTo(1_000);
    assertThat(meter.received()).isEqualTo(1_000);
    meter.streamClosed(io.grpc.Status.OK);
    assertThat(limiter.held()).isZero();
  }
}
