package io.tidemark.flink.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** Keeps what a job in the same JVM wrote. At least once: for bounded jobs without failures. */
public final class CollectorSink<T> implements Sink<T> {
  private static final long serialVersionUID = 1L;

  private static final Map<Integer, List<Object>> COLLECTED = new ConcurrentHashMap<>();
  private static final AtomicInteger SINKS = new AtomicInteger();

  private final int id = SINKS.incrementAndGet();

  public CollectorSink() {
    COLLECTED.put(id, Collections.synchronizedList(new ArrayList<>()));
  }

  @SuppressWarnings("unchecked") // Only writers of this sink add to the list.
  public List<T> collected() {
    return (List<T>) List.copyOf(Objects.requireNonNull(COLLECTED.get(id)));
  }

  @Override
  public SinkWriter<T> createWriter(WriterInitContext context) {
    List<Object> collected = Objects.requireNonNull(COLLECTED.get(id));
    return new SinkWriter<>() {
      @Override
      public void write(T element, Context writeContext) {
        collected.add(element);
      }

      @Override
      public void flush(boolean endOfInput) {}

      @Override
      public void close() {}
    };
  }
}
