package io.tidemark.flink.io.points.fastdecode;

import io.tidemark.flink.io.points.decode.OtlpDecoder;

/** The bytes are not of the plain form; the whole batch goes to {@link OtlpDecoder}. */
final class FastPathMissException extends Exception {
  private static final long serialVersionUID = 1L;

  /** One instance without a stack trace: a tenant may send such batches all day. */
  static final FastPathMissException INSTANCE = new FastPathMissException();

  private FastPathMissException() {
    super("not plain", null, false, false);
  }
}
