package io.tidemark.stack.engine;

import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Clocks of single processes, by libfaketime between them and the machine's: a test steps one
 * without touching the machine's. Elapsed time (CLOCK_MONOTONIC) is not changed.
 */
public final class Clocks {
  private static final String LIBRARY = "usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

  private final StackSettings settings;

  public Clocks(StackSettings settings) {
    this.settings = settings;
  }

  /** The same process with a clock of its own, if it is a JVM. */
  ProcessSpec on(ProcessSpec spec) {
    Optional<String> program = spec.command().stream().findFirst();
    if (program.filter(JavaCommand.java().toString()::equals).isEmpty()) {
      return spec;
    }
    Path library = settings.tool("faketime").resolve(LIBRARY);
    if (!Files.exists(library)) {
      throw new StackFailure(
          "The library for clocks is not there yet. Run `make faketime`, or unset TIDEMARK_CLOCKS.");
    }
    Map<String, String> environment = new LinkedHashMap<>(spec.environment());
    environment.put("LD_PRELOAD", library.toString());
    environment.put("FAKETIME_TIMESTAMP_FILE", file(spec.id()).toString());
    environment.put("FAKETIME_CACHE_DURATION", "1");
    environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    return new ProcessSpec(
        spec.id(),
        spec.command(),
        environment,
        spec.inputs(),
        spec.dependsOn(),
        spec.ports(),
        () -> {
          if (!Files.exists(file(spec.id()))) {
            step(spec.id(), Duration.ZERO);
          }
          spec.prepare().run();
        },
        spec.readiness(),
        spec.onReady(),
        spec.readyWithin(),
        spec.stop());
  }

  /** Sets how far a process's clock is ahead of the machine's; takes a second to be read. */
  public void step(String id, Duration ahead) throws IOException {
    Folders.create(settings.data("clocks"));
    Path fresh = settings.data("clocks").resolve(id + ".new");
    Files.writeString(fresh, String.format(Locale.ROOT, "%+d\n", ahead.toSeconds()));
    Files.move(fresh, file(id), StandardCopyOption.ATOMIC_MOVE);
  }

  private Path file(String id) {
    return settings.data("clocks").resolve(id);
  }
}
