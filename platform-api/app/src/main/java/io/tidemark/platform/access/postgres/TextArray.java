package io.tidemark.platform.access.postgres;

import java.sql.Array;
import java.sql.SQLException;
import java.util.List;

/** Columns of type {@code text[]}. */
final class TextArray {

  private TextArray() {}

  static List<String> of(Array array) throws SQLException {
    return List.of((String[]) array.getArray());
  }
}
