package io.tidemark.platform.sizing.command;

import io.tidemark.platform.sizing.domain.Load;
import io.tidemark.platform.sizing.domain.SizingPlanner;
import io.tidemark.platform.sizing.yaml.SizingFileException;
import io.tidemark.platform.sizing.yaml.SizingFiles;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Says how many nodes a load needs, what they cost, and what binds first: {@code make sizing}.
 *
 * <p>Arguments are {@code name=value} of load.yaml, or the word {@code decades}; {@code
 * --load=FILE} has values to begin with, {@code --prices=FILE} other machines and prices. Exit code
 * 2 and everything that is wrong on standard error when they cannot be used.
 */
public final class SizingCommand {

  private static final String LOAD = "--load=";
  private static final String PRICES = "--prices=";
  private static final String DECADES = "decades";

  private SizingCommand() {}

  /** Runs once and exits. */
  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    int code = 0;
    try {
      out.print(run(List.of(arguments)));
    } catch (SizingFileException | IllegalArgumentException wrong) {
      System.err.println("sizing: " + wrong.getMessage());
      code = 2;
    }
    System.exit(code);
  }

  static String run(List<String> arguments) {
    SizingPlanner planner = SizingFiles.planner();
    String values = "{}";
    String name = "the command line";
    boolean isDecades = false;
    List<String> pairs = new ArrayList<>();
    for (String argument : arguments) {
      if (argument.startsWith(PRICES)) {
        planner = SizingFiles.planner(Path.of(argument.substring(PRICES.length())));
      } else if (argument.startsWith(LOAD)) {
        name = argument.substring(LOAD.length());
        values = SizingFiles.content(Path.of(name));
      } else if (argument.equals(DECADES)) {
        isDecades = true;
      } else {
        pairs.add(argument);
      }
    }
    Load load = SizingFiles.load(planner.prices(), name, values, pairs);
    SizingReport report = new SizingReport(planner);
    List<Load.Fault> faults = load.faults(planner.prices());
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          faults.stream()
              .map(fault -> fault.field().replace('_', '-') + " " + fault.rule())
              .collect(Collectors.joining("; ")));
    }
    return isDecades ? report.decades(load) : report.of(load);
  }
}
