package io.tidemark.stack.engine;

import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.BackgroundCommand;
import io.tidemark.stack.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Builds {@code java} command lines; the classpath goes by environment, so that process lists stay
 * readable.
 */
final class JavaCommand {
  private static final int LOW_PRIORITY = 10;

  private final StackSettings settings;
  private final String component;
  private final List<String> options = new ArrayList<>();
  private final Map<String, String> environment = new LinkedHashMap<>();
  private final List<String> classpath = new ArrayList<>();
  private Optional<ClassArchiveSource> archive = Optional.empty();
  private boolean isLowPriority;

  /**
   * Of what an archive is made.
   *
   * @param name of the engine
   * @param jars the classpath's beginning
   * @param also files whose change makes other classes
   */
  private record ClassArchiveSource(String name, List<Path> jars, List<Path> also) {}

  private JavaCommand(StackSettings settings, String component, int heapMiB) {
    this.settings = settings;
    this.component = component;
    options.add("-Xmx" + heapMiB + "m");
    options.add("-XX:+UseSerialGC");
    options.add("-XX:+ExitOnOutOfMemoryError");
    // Counters for jstat: they wake each JVM twenty times a second. jcmd and JMX work without.
    options.add("-XX:-UsePerfData");
    if (settings.isFirstCompilerAlone()) {
      options.add("-XX:TieredStopAtLevel=1");
    }
    options.add("-Duser.timezone=UTC");
    options.add("-Dfile.encoding=UTF-8");
    options.add("-Djava.net.preferIPv4Stack=true");
    options.add("-Djava.io.tmpdir=" + settings.data(component).resolve("tmp"));
    options.add("-Dtidemark.component=" + component);
    options.add("-Dlog4j.configurationFile=" + settings.infra("logging/log4j2.xml"));
    options.add("-Dlog4j2.disableJmx=true");
  }

  static JavaCommand of(StackSettings settings, String component, int heapMiB) {
    return new JavaCommand(settings, component, heapMiB);
  }

  JavaCommand option(String option) {
    options.add(option);
    return this;
  }

  /**
   * The second compiler takes what is called ten times as often as by default: what runs for each
   * point reaches that in seconds, and what only a start needs does not. All processes start
   * together on few cores: docs/decisions/0171.
   */
  JavaCommand compilesLate() {
    return option("-XX:Tier4InvocationThreshold=50000")
        .option("-XX:Tier4MinInvocationThreshold=6000")
        .option("-XX:Tier4CompileThreshold=150000")
        .option("-XX:Tier4BackEdgeThreshold=400000");
  }

  /** Others take the cores first. */
  JavaCommand lowPriority() {
    isLowPriority = true;
    return this;
  }

  JavaCommand property(String name, Object value) {
    return option("-D" + name + "=" + value);
  }

  JavaCommand environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  JavaCommand folder(Path folder) {
    classpath.add(folder.toString());
    return this;
  }

  /** Adds all jars of an engine, as {@code infra/engines/<engine>} resolved them. */
  JavaCommand engine(String engine) {
    classpath.addAll(jars(settings, engine).stream().map(Path::toString).toList());
    return this;
  }

  /**
   * Takes classes of the jars added so far from an archive. Folders come after them: the JVM
   * archives none.
   *
   * @param also files whose change makes other classes: those that the jars name in turn
   */
  JavaCommand archived(String name, Path... also) {
    archive =
        Optional.of(
            new ClassArchiveSource(name, classpath.stream().map(Path::of).toList(), List.of(also)));
    return this;
  }

  /**
   * What is done before each start: the engine's own preparation, then options that may differ from
   * start to start. They stand in a file, so that a running process is not taken for an outdated
   * one.
   */
  ProcessSpec.Preparation prepared(ProcessSpec.Preparation own) {
    return () -> {
      own.run();
      List<String> changing = new ArrayList<>();
      if (archive.isPresent()) {
        ClassArchiveSource source = archive.get();
        changing.addAll(
            ClassArchive.of(settings.classArchives(), source.name(), source.jars(), source.also())
                .options(component));
      }
      Files.write(changingOptions(), changing);
    };
  }

  private Path changingOptions() {
    return settings.data(component).resolve("java.options");
  }

  /**
   * Reports the JVM, and the beans the rules name, to the stack's own OTLP endpoint, once {@link
   * TelemetryAgent} is loaded.
   */
  JavaCommand telemetry(
      String resourceType,
      String resourceId,
      String targetSystem,
      Path rules,
      String authorization) {
    environment("OTEL_INSTRUMENTATION_COMMON_DEFAULT_ENABLED", "false");
    environment("OTEL_INSTRUMENTATION_JMX_METRICS_ENABLED", "true");
    environment("OTEL_INSTRUMENTATION_RUNTIME_TELEMETRY_ENABLED", "true");
    environment("OTEL_TRACES_EXPORTER", "none");
    environment("OTEL_LOGS_EXPORTER", "none");
    environment("OTEL_METRICS_EXPORTER", "otlp");
    environment("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf");
    environment("OTEL_EXPORTER_OTLP_ENDPOINT", settings.otlpHttp());
    environment("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip");
    // The OpenTelemetry specification wants the header's value percent-encoded.
    environment(
        "OTEL_EXPORTER_OTLP_HEADERS",
        "authorization=" + authorization.replace(" ", "%20").replace("=", "%3D"));
    environment("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "delta");
    environment("OTEL_METRIC_EXPORT_INTERVAL", "10000");
    environment("OTEL_JMX_CONFIG", rules.toString());
    if (!targetSystem.isEmpty()) {
      environment("OTEL_JMX_TARGET_SYSTEM", targetSystem);
    }
    environment("OTEL_RESOURCE_PROVIDERS_DISABLED", "true");
    environment(
        "OTEL_JAVA_ENABLED_RESOURCE_PROVIDERS",
        "io.opentelemetry.sdk.autoconfigure.EnvironmentResourceProvider");
    environment(
        "OTEL_RESOURCE_ATTRIBUTES",
        "tidemark.resource.type=" + resourceType + ",tidemark.resource.id=" + resourceId);
    return this;
  }

  List<String> run(String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(java().toString());
    if (archive.isPresent()) {
      command.add("@" + changingOptions());
    }
    command.addAll(options);
    command.add(mainClass);
    command.addAll(arguments);
    return isLowPriority ? BackgroundCommand.of(LOW_PRIORITY, command) : command;
  }

  Map<String, String> environment() {
    Map<String, String> all = new LinkedHashMap<>(environment);
    if (!classpath.isEmpty()) {
      all.put("CLASSPATH", String.join(":", classpath));
    }
    return all;
  }

  /** The JDK this launcher runs on. */
  static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  static List<Path> jars(StackSettings settings, String engine) {
    Path file = settings.engines().resolve(engine + ".classpath");
    try {
      if (Files.exists(file)) {
        List<Path> jars =
            List.of(Files.readString(file).trim().split(":")).stream().map(Path::of).toList();
        for (Path jar : jars) {
          if (!Files.exists(jar)) {
            throw new StackFailure(
                jar + " of engine " + engine + " is gone. Run `make engines` to fetch it again.");
          }
        }
        return jars;
      }
    } catch (IOException e) {
      throw new StackFailure("cannot read " + file, e);
    }
    throw new StackFailure("The engine " + engine + " was not fetched yet. Run `make engines`.");
  }
}
