package io.tidemark.pipeline.faults;

import io.tidemark.stack.TidemarkStack;
import java.util.List;

/** SIGSTOP, and SIGCONT later: others take it for dead, and then it wakes. */
record FrozenProcess(TidemarkStack stack, String victim) implements Fault {
  @Override
  public void strike() throws Exception {
    stack.processFaults().freeze(victim);
  }

  @Override
  public void heal() throws Exception {
    stack.processFaults().thaw(victim);
  }

  @Override
  public List<String> mustShow() {
    return List.of(victim + " is suspended");
  }
}
