package io.tidemark.platform.ingest.kafka.listener;

import com.github.luben.zstd.ZstdInputStream;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.DefaultRecordBatch;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.MutableRecordBatch;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.ByteUtils;
import org.jspecify.annotations.Nullable;

/**
 * The records of what a producer sent for one partition. Kafka's own reader believes what a record
 * says of its size; this one takes memory for no more than a body may have.
 */
final class ProduceRecordReader {

  private static final int MAX_WINDOW_LOG = 23;
  private static final int MAX_RECORDS = 100_000;
  private static final int MAX_HEADERS = 100;
  private static final int BUFFER = 16 * 1024;

  /** One record; the key is null when the sender gave none, the value when it has none. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Produced(@Nullable String idempotencyKey, byte @Nullable [] value) {}

  /** Why records cannot be read. */
  static final class UnreadableException extends Exception {

    private static final long serialVersionUID = 1L;

    private final Fault fault;

    UnreadableException(Fault fault, String message) {
      super(message);
      this.fault = fault;
    }

    Fault fault() {
      return fault;
    }
  }

  enum Fault {
    DAMAGED,
    TOO_LARGE,
    NO_ROOM
  }

  private final long max;
  private final InFlightByteLimiter.Reservation holding;
  private final String keyHeader;
  private long total;

  /**
   * A reader for one request.
   *
   * @param max limit of all records together, in bytes
   * @param holding grows with what is read
   */
  ProduceRecordReader(long max, InFlightByteLimiter.Reservation holding, String keyHeader) {
    this.max = max;
    this.holding = holding;
    this.keyHeader = keyHeader.toLowerCase(Locale.ROOT);
  }

  List<Produced> of(MemoryRecords sent) throws UnreadableException {
    List<Produced> records = new ArrayList<>();
    try {
      if (sent.validBytes() != sent.sizeInBytes()) {
        throw damaged("The last records are cut off.");
      }
      for (MutableRecordBatch batch : sent.batches()) {
        batch.ensureValid();
        if (batch.magic() != RecordBatch.MAGIC_VALUE_V2
            || batch.isControlBatch()
            || batch.isTransactional()) {
          throw damaged("Send records of message format 2, outside of transactions.");
        }
        Integer count = batch.countOrNull();
        if (count == null || count < 0 || records.size() + count > MAX_RECORDS) {
          throw damaged("A request has at most " + MAX_RECORDS + " records.");
        }
        try (InputStream in = content((DefaultRecordBatch) batch)) {
          boolean isHeld = batch.compressionType() == CompressionType.SNAPPY;
          for (int i = 0; i < count; i++) {
            records.add(record(in, isHeld));
          }
        }
      }
    } catch (IOException | RuntimeException notOfTheForm) {
      throw damaged("The records are damaged: " + notOfTheForm.getMessage());
    }
    return records;
  }

  private static UnreadableException damaged(String message) {
    return new UnreadableException(Fault.DAMAGED, message);
  }

  private InputStream content(DefaultRecordBatch batch) throws IOException, UnreadableException {
    CompressionType type = batch.compressionType();
    if (type == CompressionType.LZ4) {
      // Blocks of at most 4 MiB, whatever they say.
      return batch.recordInputStream(BufferSupplier.NO_CACHING);
    }
    ByteBuffer whole = ByteBuffer.allocate(batch.sizeInBytes());
    batch.writeTo(whole);
    InputStream raw =
        new ByteArrayInputStream(
            whole.array(),
            DefaultRecordBatch.RECORD_BATCH_OVERHEAD,
            whole.position() - DefaultRecordBatch.RECORD_BATCH_OVERHEAD);
    return switch (type) {
      case SNAPPY ->
          // Held as a whole; its records are not held once more.
          new ByteArrayInputStream(new SnappyRecords(max - total, holding).of(raw.readAllBytes()));
      case GZIP -> new BufferedInputStream(new GZIPInputStream(raw, BUFFER), BUFFER);
      case ZSTD ->
          new BufferedInputStream(new ZstdInputStream(raw).setLongMax(MAX_WINDOW_LOG), BUFFER);
      default -> raw;
    };
  }

  private Produced record(InputStream in, boolean isHeld) throws IOException, UnreadableException {
    int length = ByteUtils.readVarint(in);
    if (length < 0 || total + length > max) {
      throw new UnreadableException(
          Fault.TOO_LARGE,
          "The records of a request are larger than " + max + " bytes after decompression.");
    }
    total += length;
    if (!isHeld && !holding.grow(length)) {
      throw new UnreadableException(Fault.NO_ROOM, "The gateway holds too much at the moment.");
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the last record ends early");
    }
    ByteBuffer record = ByteBuffer.wrap(bytes);
    record.get(); // attributes: none are defined
    ByteUtils.readVarlong(record); // time: the receive time counts
    ByteUtils.readVarint(record); // place in the batch
    sized(record); // key
    byte[] value = sized(record);
    int headers = ByteUtils.readVarint(record);
    if (headers < 0 || headers > MAX_HEADERS) {
      throw damaged("A record has at most " + MAX_HEADERS + " headers.");
    }
    String key = null;
    for (int i = 0; i < headers; i++) {
      byte[] name = sized(record);
      byte[] header = sized(record);
      if (name != null
          && header != null
          && new String(name, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT).equals(keyHeader)) {
        key = new String(header, StandardCharsets.UTF_8);
      }
    }
    return new Produced(key, value);
  }

  /** Null when the size is negative. */
  private static byte @Nullable [] sized(ByteBuffer record) throws IOException {
    int size = ByteUtils.readVarint(record);
    if (size < 0) {
      return null;
    }
    if (size > record.remaining()) {
      throw new EOFException("a part of a record is larger than the record");
    }
    byte[] bytes = new byte[size];
    record.get(bytes);
    return bytes;
  }
}
