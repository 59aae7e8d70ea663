package io.tidemark.platform.ingest.grpc;

import com.github.luben.zstd.ZstdInputStream;
import io.grpc.Decompressor;
import java.io.IOException;
import java.io.InputStream;

/** Messages that are compressed by zstd. What they become is limited like all others. */
final class ZstdCodec implements Decompressor {

  /** Frames that need a window of more than 8 MiB are refused: RFC 8878 asks for no more. */
  private static final int MAX_WINDOW_LOG = 23;

  @Override
  public String getMessageEncoding() {
    return "zstd";
  }

  @Override
  public InputStream decompress(InputStream message) throws IOException {
    return new ZstdInputStream(message).setLongMax(MAX_WINDOW_LOG);
  }
}
