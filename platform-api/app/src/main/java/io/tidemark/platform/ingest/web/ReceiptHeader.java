package io.tidemark.platform.ingest.web;

import io.tidemark.platform.ingest.domain.BatchId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a sender is told the identifier of its receipt. */
final class ReceiptHeader {

  static final String NAME = "Tidemark-Receipt";

  private ReceiptHeader() {}

  /** The header; none when nothing was stored. */
  static Map<String, String> of(@Nullable BatchId receipt) {
    return receipt == null ? Map.of() : Map.of(NAME, receipt.hex());
  }
}
