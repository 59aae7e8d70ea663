package io.tidemark.flink.io;

import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * The one way to name an operator. The uid ties state to the operator across versions of the job:
 * it is never changed without a savepoint note. The sentence is what an operator of the cluster
 * reads.
 */
public final class StreamNames {

  private StreamNames() {}

  public static <T> SingleOutputStreamOperator<T> named(
      SingleOutputStreamOperator<T> stream, String uid, String sentence) {
    return stream.uid(uid).name(sentence);
  }

  public static <T> DataStreamSink<T> named(DataStreamSink<T> sink, String uid, String sentence) {
    return sink.uid(uid).name(sentence);
  }
}
