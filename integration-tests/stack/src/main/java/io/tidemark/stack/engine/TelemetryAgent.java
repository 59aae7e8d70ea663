package io.tidemark.stack.engine;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.tidemark.stack.StackSettings;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * OpenTelemetry's Java agent. It is loaded into processes that serve already: on the command line
 * it takes seconds of CPU of every start, and bars the class data archive. Settings are in the
 * processes' environment.
 */
public final class TelemetryAgent {
  /** Who reports its JVM and beans. */
  private static final Set<String> COMPONENTS =
      Set.of("kafka", "flink-jobmanager", "flink-taskmanager");

  private final Path jar;

  public TelemetryAgent(StackSettings settings) {
    this.jar = JavaCommand.jars(settings, "agents").get(0);
  }

  public static boolean isFor(String component) {
    return COMPONENTS.contains(component);
  }

  /** Whether the process has it: it keeps the jar open. */
  public boolean isLoaded(long pid) throws IOException {
    try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
      for (Path each : open) {
        if (Files.isSymbolicLink(each) && target(each).equals(jar)) {
          return true;
        }
      }
      return false;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /** A file may be closed before it is looked at. */
  private static Path target(Path link) {
    try {
      return Files.readSymbolicLink(link);
    } catch (IOException closed) {
      return link;
    }
  }

  /**
   * Loads it; once.
   *
   * @throws IOException when the process does not take it
   */
  public void load(long pid) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        machine.loadAgent(jar.toString());
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException
        | AgentLoadException
        | AgentInitializationException refused) {
      throw new IOException("the process takes no agent: " + refused, refused);
    }
  }
}
