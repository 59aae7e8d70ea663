package io.tidemark.pipeline.faults;

import io.tidemark.stack.TidemarkStack;

/** No file of one process grows any more, its log included. */
record FullDisk(TidemarkStack stack, String victim) implements Fault {
  @Override
  public void strike() throws Exception {
    stack.processFaults().denyWrites(victim);
  }

  @Override
  public void heal() throws Exception {
    stack.processFaults().allowWrites(victim);
  }
}
