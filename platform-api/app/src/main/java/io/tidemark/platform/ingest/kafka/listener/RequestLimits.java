package io.tidemark.platform.ingest.kafka.listener;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.utils.ByteUtils;

/**
 * Counts what a frame asks to be decoded, before Kafka's generated decoders read it. Their time
 * grows with the cube of repeated topic names, so that twelve kilobytes keep a core busy for a
 * minute; and every tagged field becomes an object.
 */
final class RequestLimits {

  /** Of a frame that carries no records. */
  static final int MAX_SMALL_FRAME = 16 * 1024;

  /** Of a frame before its sender is known. */
  static final int MAX_UNAUTHENTICATED_FRAME = 4 * 1024;

  private static final int MAX_METADATA_TOPICS = 64;
  private static final int MAX_PRODUCE_TOPICS = 1;
  private static final int MAX_TAGGED_FIELDS = 16;
  private static final int FLEXIBLE_HEADER = 2;
  private static final int FLEXIBLE_METADATA = 9;
  private static final int FLEXIBLE_PRODUCE = 9;

  private final ByteBuffer frame;

  private RequestLimits(ByteBuffer frame) {
    this.frame = frame;
  }

  /**
   * Whether the frame is cheap to decode.
   *
   * @param request from its header on; its position stays
   */
  static boolean allow(ByteBuffer request) {
    try {
      return new RequestLimits(request.duplicate()).isWithin();
    } catch (BufferUnderflowException | IllegalArgumentException notOfTheProtocol) {
      return false;
    }
  }

  private boolean isWithin() {
    int key = frame.getShort();
    short version = frame.getShort();
    if (!ApiKeys.hasId(key)) {
      return false;
    }
    ApiKeys api = ApiKeys.forId(key);
    if (api != ApiKeys.API_VERSIONS && !KafkaResponses.isServed(api, version)) {
      return false;
    }
    frame.getInt(); // correlation id
    skip(frame.getShort()); // client id
    if (api != ApiKeys.API_VERSIONS
        && api.requestHeaderVersion(version) >= FLEXIBLE_HEADER
        && !skippedTags()) {
      return false;
    }
    return switch (api) {
      case METADATA -> topics(version >= FLEXIBLE_METADATA) <= MAX_METADATA_TOPICS;
      case PRODUCE -> version >= FLEXIBLE_PRODUCE ? isFlexibleProduce() : isProduce();
      default -> true;
    };
  }

  private long topics(boolean flexible) {
    return flexible ? compactLength() : Math.max(0, frame.getInt());
  }

  private boolean isProduce() {
    skip(frame.getShort()); // transactional id
    frame.getShort(); // acks
    frame.getInt(); // timeout
    int topics = frame.getInt();
    if (topics > MAX_PRODUCE_TOPICS) {
      return false;
    }
    for (int topic = 0; topic < topics; topic++) {
      skip(frame.getShort());
      int partitions = frame.getInt();
      if (partitions > KafkaResponses.PARTITIONS) {
        return false;
      }
      for (int partition = 0; partition < partitions; partition++) {
        frame.getInt();
        skip(frame.getInt());
      }
    }
    return !frame.hasRemaining();
  }

  private boolean isFlexibleProduce() {
    skip(compactLength());
    frame.getShort();
    frame.getInt();
    long topics = compactLength();
    if (topics > MAX_PRODUCE_TOPICS) {
      return false;
    }
    for (long topic = 0; topic < topics; topic++) {
      skip(compactLength());
      long partitions = compactLength();
      if (partitions > KafkaResponses.PARTITIONS) {
        return false;
      }
      for (long partition = 0; partition < partitions; partition++) {
        frame.getInt();
        skip(compactLength());
        if (!skippedTags()) {
          return false;
        }
      }
      if (!skippedTags()) {
        return false;
      }
    }
    return skippedTags() && !frame.hasRemaining();
  }

  /** Compact lengths are one more than what they stand for; 0 stands for null. */
  private long compactLength() {
    return Math.max(0, Integer.toUnsignedLong(ByteUtils.readUnsignedVarint(frame)) - 1);
  }

  private boolean skippedTags() {
    long tags = Integer.toUnsignedLong(ByteUtils.readUnsignedVarint(frame));
    if (tags > MAX_TAGGED_FIELDS) {
      return false;
    }
    for (long tag = 0; tag < tags; tag++) {
      ByteUtils.readUnsignedVarint(frame);
      skip(Integer.toUnsignedLong(ByteUtils.readUnsignedVarint(frame)));
    }
    return true;
  }

  /** Negative lengths stand for null. */
  private void skip(long bytes) {
    if (bytes > frame.remaining()) {
      throw new BufferUnderflowException();
    }
    frame.position(frame.position() + (int) Math.max(0, bytes));
  }
}
