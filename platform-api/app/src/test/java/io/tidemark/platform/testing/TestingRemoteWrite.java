package io.tidemark.platform.testing;

import com.google.protobuf.MessageLite;
import io.tidemark.contracts.prometheus.v1.Label;
import io.tidemark.contracts.prometheus.v1.WriteRequest;
import io.tidemark.contracts.prometheus.v2.Metadata;
import io.tidemark.contracts.prometheus.v2.Request;
import io.tidemark.contracts.prometheus.v2.TimeSeries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.xerial.snappy.Snappy;

/** Requests of Prometheus remote write in few words. */
public final class TestingRemoteWrite {

  private final Request.Builder request = Request.newBuilder();
  private final List<String> symbols = new ArrayList<>(List.of(""));

  /** A series of 1.0 with one sample; labels come in pairs of name and value. */
  public static io.tidemark.contracts.prometheus.v1.TimeSeries series(
      double value, long millis, String... labels) {
    io.tidemark.contracts.prometheus.v1.TimeSeries.Builder series =
        io.tidemark.contracts.prometheus.v1.TimeSeries.newBuilder();
    for (int i = 0; i < labels.length; i += 2) {
      series.addLabels(Label.newBuilder().setName(labels[i]).setValue(labels[i + 1]));
    }
    series.addSamplesBuilder().setValue(value).setTimestamp(millis);
    return series.build();
  }

  public static WriteRequest request(io.tidemark.contracts.prometheus.v1.TimeSeries... series) {
    return WriteRequest.newBuilder().addAllTimeseries(List.of(series)).build();
  }

  /** The body that a sender posts. */
  public static byte[] snappy(MessageLite message) {
    return snappy(message.toByteArray());
  }

  public static byte[] snappy(byte[] content) {
    try {
      return Snappy.compress(content);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** The place of a text in the symbols of 2.0. */
  public int symbol(String text) {
    int known = symbols.indexOf(text);
    if (known >= 0) {
      return known;
    }
    symbols.add(text);
    return symbols.size() - 1;
  }

  /** Adds a series of 2.0 without points, to which the caller adds them. */
  public TimeSeries.Builder add(Metadata.MetricType type, String... labels) {
    TimeSeries.Builder series = request.addTimeseriesBuilder();
    for (String label : labels) {
      series.addLabelsRefs(symbol(label));
    }
    series.getMetadataBuilder().setType(type);
    return series;
  }

  /** The request of 2.0. */
  public Request build() {
    return request.clearSymbols().addAllSymbols(symbols).build();
  }
}
