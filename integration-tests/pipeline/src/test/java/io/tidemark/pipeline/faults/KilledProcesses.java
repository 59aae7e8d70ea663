package io.tidemark.pipeline.faults;

import io.tidemark.stack.TidemarkStack;
import java.util.List;

/** kill -9 of processes at the same moment. */
record KilledProcesses(TidemarkStack stack, List<String> victims) implements Fault {
  @Override
  public void strike() throws Exception {
    for (String victim : victims) {
      stack.kill(victim);
    }
  }

  @Override
  public void heal() {
    // A process that was killed is started by make up.
  }

  @Override
  public List<String> mustShow() {
    return victims.stream().map(victim -> victim + " is down").toList();
  }
}
