package io.tidemark.flink.io.control;

/**
 * One record of a control topic, undecoded.
 *
 * @param key empty when missing
 * @param value empty for a tombstone
 */
@SuppressWarnings("ArrayRecordComponent") // Travels between operators; never compared.
public record ControlRecord(String key, byte[] value) {

  /** Every real record of the contracts has at least one field that is not empty. */
  public boolean isTombstone() {
    return value.length == 0;
  }
}
