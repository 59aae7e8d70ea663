package io.tidemark.platform.ingest.web;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** How a body may be compressed. */
enum BodyEncoding {
  IDENTITY("identity"),
  GZIP("gzip"),
  ZSTD("zstd");

  static final String HINT = "Send Content-Encoding: gzip or zstd, or none.";

  private static final int BUFFER = 8 * 1024;

  /** Frames that need a window of more than 8 MiB are refused: RFC 8878 asks for no more. */
  private static final int MAX_WINDOW_LOG = 23;

  private final String wireName;

  BodyEncoding(String wireName) {
    this.wireName = wireName;
  }

  /**
   * The encoding that a Content-Encoding names.
   *
   * @param header null for none
   * @return empty for any that is not understood
   */
  static Optional<BodyEncoding> of(String header) {
    String name = header == null ? "" : header.strip().toLowerCase(Locale.ROOT);
    if (name.isEmpty()) {
      return Optional.of(IDENTITY);
    }
    for (BodyEncoding encoding : values()) {
      if (encoding.wireName.equals(name)) {
        return Optional.of(encoding);
      }
    }
    return Optional.empty();
  }

  String wireName() {
    return wireName;
  }

  /** The decompressed bytes, read as far as asked for and no further. */
  InputStream decompressed(InputStream raw) throws IOException {
    return switch (this) {
      case IDENTITY -> raw;
      case GZIP -> new GZIPInputStream(raw, BUFFER);
      case ZSTD -> new ZstdInputStream(raw).setLongMax(MAX_WINDOW_LOG);
    };
  }
}
