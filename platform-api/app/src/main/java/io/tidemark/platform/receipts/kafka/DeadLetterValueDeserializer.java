package io.tidemark.platform.receipts.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** Takes the values of one topic and leaves those of batches, which are large and not read here. */
final class DeadLetterValueDeserializer implements Deserializer<byte[]> {

  private final String topic;

  DeadLetterValueDeserializer(String topic) {
    this.topic = topic;
  }

  @Override
  public byte @Nullable [] deserialize(String from, byte[] value) {
    return from.equals(topic) ? value : null;
  }

  @Override
  public byte @Nullable [] deserialize(String from, Headers headers, ByteBuffer value) {
    if (value == null || !from.equals(topic)) {
      return null;
    }
    byte[] bytes = new byte[value.remaining()];
    value.get(bytes);
    return bytes;
  }
}
