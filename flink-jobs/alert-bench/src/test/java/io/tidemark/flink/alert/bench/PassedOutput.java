package io.tidemark.flink.alert.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.OutputTag;

/**
 * What leaves an operator. Records of side outputs are serialised and dropped, as the network has
 * it; that of Flink's test kit makes a serialiser for each of them, which costs more than the rest.
 */
final class PassedOutput<T> implements Output<StreamRecord<T>> {

  private final List<T> records = new ArrayList<>();
  private final Map<OutputTag<?>, TypeSerializer<?>> serializers = new HashMap<>();
  private final DataOutputSerializer bytes = new DataOutputSerializer(256);

  /** Gives all records, and holds none any more. */
  void drain(Consumer<T> each) {
    records.forEach(each);
    records.clear();
  }

  @Override
  public void collect(StreamRecord<T> record) {
    records.add(record.getValue());
  }

  @Override
  @SuppressWarnings("unchecked") // The serialiser is that of the tag.
  public <X> void collect(OutputTag<X> tag, StreamRecord<X> record) {
    TypeSerializer<X> serializer =
        (TypeSerializer<X>)
            serializers.computeIfAbsent(
                tag, one -> one.getTypeInfo().createSerializer(new SerializerConfigImpl()));
    try {
      bytes.clear();
      serializer.serialize(record.getValue(), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void emitWatermark(Watermark mark) {
    // Nobody listens.
  }

  @Override
  public void emitWatermarkStatus(WatermarkStatus status) {
    // Nobody listens.
  }

  @Override
  public void emitLatencyMarker(LatencyMarker marker) {
    // Nobody listens.
  }

  @Override
  public void emitRecordAttributes(RecordAttributes attributes) {
    // Nobody listens.
  }

  @Override
  public void emitWatermark(WatermarkEvent event) {
    // Nobody listens.
  }

  @Override
  public void close() {
    records.clear();
  }
}
