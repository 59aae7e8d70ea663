package io.tidemark.pipeline.faults;

import io.tidemark.stack.TidemarkStack;
import java.util.List;

/** SIGTERM to one process, while all that depend on it go on. */
record StoppedProcess(TidemarkStack stack, String victim) implements Fault {
  @Override
  public void strike() throws Exception {
    stack.stop(victim);
  }

  @Override
  public void heal() {
    // A process that was stopped is started by make up.
  }

  @Override
  public List<String> mustShow() {
    return List.of(victim + " is down");
  }
}
