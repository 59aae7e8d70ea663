package io.tidemark.platform.ingest.kafka.listener;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.RequestHeader;
import org.jspecify.annotations.Nullable;

/**
 * A request of records without the records: who sent it, and which partitions it is for. Read from
 * a stream, so that a request of any size takes no memory.
 *
 * @param header of the request
 * @param request with no records
 */
record ProduceRequestOutline(RequestHeader header, ProduceRequestData request) {

  private static final int FIRST_FLEXIBLE = 9;
  private static final int LONGEST_NAME = 1_024;
  private static final int MAX_TAGS = 16;

  /**
   * Reads a whole request after its API key and version; null when it is not one of one topic.
   *
   * @param version of the request
   */
  static @Nullable ProduceRequestOutline read(short version, InputStream rest) throws IOException {
    return new Reader(new DataInputStream(rest), version).outline();
  }

  private static final class Reader {

    private final DataInputStream in;
    private final short version;
    private final boolean isFlexible;

    Reader(DataInputStream in, short version) {
      this.in = in;
      this.version = version;
      this.isFlexible = version >= FIRST_FLEXIBLE;
    }

    @Nullable ProduceRequestOutline outline() throws IOException {
      int correlation = in.readInt();
      String client = text(in.readShort());
      skipTags();
      RequestHeader header = new RequestHeader(ApiKeys.PRODUCE, version, client, correlation);
      ProduceRequestData request = new ProduceRequestData();
      text(isFlexible ? compact() : in.readShort()); // transactional id
      request.setAcks(in.readShort());
      request.setTimeoutMs(in.readInt());
      if (length() != 1) {
        return null;
      }
      TopicProduceData topic =
          new TopicProduceData().setName(text(isFlexible ? compact() : in.readShort()));
      long partitions = length();
      if (partitions > KafkaResponses.PARTITIONS) {
        return null;
      }
      for (long i = 0; i < partitions; i++) {
        topic.partitionData().add(new PartitionProduceData().setIndex(in.readInt()));
        in.skipNBytes(Math.max(0, length()));
        skipTags();
      }
      skipTags();
      skipTags();
      request.topicData().addAll(List.of(topic));
      return in.read() < 0 ? new ProduceRequestOutline(header, request) : null;
    }

    private long length() throws IOException {
      return isFlexible ? compact() : in.readInt();
    }

    /** Negative for null. */
    private @Nullable String text(long length) throws IOException {
      if (length < 0) {
        return null;
      }
      if (length > LONGEST_NAME) {
        throw new IOException("A name is too long");
      }
      byte[] bytes = in.readNBytes((int) length);
      if (bytes.length < length) {
        throw new EOFException("A name ends early");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Compact lengths are one more than what they stand for; 0 stands for null. */
    private long compact() throws IOException {
      return unsigned() - 1;
    }

    private long unsigned() throws IOException {
      long value = 0;
      for (int shift = 0; shift < 35; shift += 7) {
        int next = in.readUnsignedByte();
        value |= (long) (next & 0x7f) << shift;
        if (next < 0x80) {
          return value;
        }
      }
      throw new IOException("A number is too long");
    }

    private void skipTags() throws IOException {
      if (!isFlexible) {
        return;
      }
      long tags = unsigned();
      if (tags > MAX_TAGS) {
        throw new IOException("There are too many tagged fields");
      }
      for (long tag = 0; tag < tags; tag++) {
        unsigned();
        in.skipNBytes(unsigned());
      }
    }
  }
}
