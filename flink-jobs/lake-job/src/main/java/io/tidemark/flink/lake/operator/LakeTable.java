package io.tidemark.flink.lake.operator;

import java.io.Serializable;
import org.apache.iceberg.Table;

/** Where an operator gets its table; every operator opens its own connection. */
public interface LakeTable extends Serializable {

  /** Name for metrics and messages. */
  String name();

  Opened open();

  /**
   * A loaded table and the catalog connection behind it.
   *
   * @param table refreshed by who needs it
   * @param connection closed with the operator
   */
  record Opened(Table table, AutoCloseable connection) implements AutoCloseable {
    @Override
    public void close() throws Exception {
      connection.close();
    }
  }
}
