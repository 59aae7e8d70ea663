package io.tidemark.pipeline.faults;

import java.util.List;

/** Something that fails until it is healed. */
interface Fault {
  void strike() throws Exception;

  /** Ends what was done. What ended or broke of it is repaired by {@code make up} afterwards. */
  void heal() throws Exception;

  /** Lines of {@code make status} that must appear while it lasts. */
  default List<String> mustShow() {
    return List.of();
  }
}
