package io.tidemark.platform.ingest.application;

import io.tidemark.platform.ingest.domain.PointRules;
import io.tidemark.platform.ingest.domain.Rejections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a body in one wire format and splits off what must be refused. */
@FunctionalInterface
public interface BatchDecoder {

  /**
   * What a body holds.
   *
   * @throws MalformedBatchException when it is not of the format
   */
  DecodedBatch decode(byte[] body, PointRules rules) throws MalformedBatchException;

  /**
   * The usable part of a batch.
   *
   * @param record OTLP ExportMetricsServiceRequest, protobuf, with the accepted points only
   * @param points number of points in it
   * @param rejections what was taken out
   * @param descriptions of metrics with accepted points, by name, where they came with one
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record DecodedBatch(
      byte[] record, long points, Rejections rejections, Map<String, String> descriptions) {

    /** Without descriptions. */
    public DecodedBatch(byte[] record, long points, Rejections rejections) {
      this(record, points, rejections, Map.of());
    }
  }

  /** The body is not of its format. The message is for the sender. */
  final class MalformedBatchException extends Exception {

    private static final long serialVersionUID = 1L;

    public MalformedBatchException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
