package io.tidemark.stack;

import io.tidemark.stack.process.ProcessSpec;
import io.tidemark.stack.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What must be true of the machine before the first process is started; all faults are told at
 * once.
 */
final class StackRequirements {
  /** Idle it is about half of this; with heaps and buffers grown to their limits, nearly all. */
  private static final long MEMORY_MIB_PER_COMPONENT = 560;

  private static final long DISK_MIB = 3072;

  private StackRequirements() {}

  static void check(StackSettings settings, List<ProcessSpec> specs, ProcessTable processes)
      throws IOException {
    List<ProcessSpec> toStart =
        specs.stream().filter(spec -> processes.find(spec.id()).isEmpty()).toList();
    List<String> faults = new ArrayList<>();
    for (ProcessSpec spec : toStart) {
      for (Map.Entry<String, Integer> port : spec.ports().entrySet()) {
        if (!PortPlan.isFree(port.getValue())) {
          faults.add(
              "Port "
                  + port.getValue()
                  + " ("
                  + port.getKey()
                  + ") is used by another program. Stop that program, or move the whole"
                  + " stack: TIDEMARK_PORT_BASE=21000 make up");
        }
      }
    }
    memoryFault(toStart.size()).ifPresent(faults::add);
    Path existing = settings.home();
    while (!Files.exists(existing)) {
      existing = Objects.requireNonNull(existing.getParent());
    }
    long freeMiB = Files.getFileStore(existing).getUsableSpace() >> 20;
    if (freeMiB < DISK_MIB) {
      faults.add(
          "Only "
              + freeMiB
              + " MiB are free on the disk of "
              + settings.home()
              + ", and the stack wants "
              + DISK_MIB
              + " MiB. Free some, or put it elsewhere: TIDEMARK_HOME=/larger/disk make up");
    }
    if (!faults.isEmpty()) {
      throw new StackFailure(String.join("\n", faults));
    }
  }

  /** Data do not move by themselves: a lake that stays behind would look empty. */
  static void checkStorage(StackSettings settings) throws IOException {
    Path mark = settings.data("storage");
    String wanted = settings.storage().name().toLowerCase(Locale.ROOT);
    if (Files.exists(mark)) {
      String present = Files.readString(mark).strip();
      if (!present.equals(wanted)) {
        throw new StackFailure(
            "This stack keeps its lake and the state of its jobs on TIDEMARK_STORAGE="
                + present
                + ", and "
                + wanted
                + " was asked for. `make clean` first, or use a folder of its own: TIDEMARK_HOME=");
      }
      return;
    }
    // A stack of before this file was is local.
    boolean isOld = Files.isDirectory(settings.data("iceberg"));
    if (isOld && settings.storage() != StackSettings.Storage.LOCAL) {
      throw new StackFailure(
          "This stack keeps its lake in a folder. `make clean` before TIDEMARK_STORAGE="
              + wanted
              + ", or use a folder of its own: TIDEMARK_HOME=");
    }
    Files.createDirectories(mark.getParent());
    Files.writeString(mark, wanted + "\n");
  }

  private static java.util.Optional<String> memoryFault(int componentsToStart) throws IOException {
    long availableMiB = availableMemoryMiB(Files.readAllLines(Path.of("/proc/meminfo")));
    long wanted = componentsToStart * MEMORY_MIB_PER_COMPONENT;
    return availableMiB >= wanted
        ? java.util.Optional.empty()
        : java.util.Optional.of(
            "Only "
                + availableMiB
                + " MiB of memory are available, and the "
                + componentsToStart
                + " components to start want "
                + wanted
                + " MiB. Close other programs or use a larger machine.");
  }

  static long availableMemoryMiB(List<String> meminfo) {
    for (String line : meminfo) {
      if (line.startsWith("MemAvailable:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10;
      }
    }
    throw new StackFailure(
        "/proc/meminfo does not say how much memory is available: Tidemark's embedded stack needs Linux.");
  }
}
