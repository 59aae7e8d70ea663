package io.tidemark.stack;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where one stack lives and what it listens on.
 *
 * @param root the checkout: {@code infra/} and the built jars are found below it
 * @param home everything the stack writes: data, logs, pid files, engines' classpaths, secrets,
 *     stack.env
 * @param engines folder of the classpath files that {@code infra/engines} wrote
 * @param environment process environment the settings were read from
 */
public record StackSettings(
    Path root, Path home, Path engines, PortPlan ports, Map<String, String> environment) {

  public StackSettings {
    environment = Map.copyOf(environment);
  }

  /**
   * Settings of {@code make up}: {@code TIDEMARK_HOME} or {@code <root>/.tidemark}, ports from the
   * environment.
   */
  public static StackSettings fromEnvironment(Path root, Map<String, String> environment) {
    Path checkout = root.toAbsolutePath().normalize();
    Path main = checkout.resolve(".tidemark");
    String home = environment.getOrDefault("TIDEMARK_HOME", "");
    return new StackSettings(
        checkout,
        home.isBlank() ? main : checkout.resolve(home).normalize(),
        main.resolve("engines"),
        PortPlan.fromEnvironment(environment),
        environment);
  }

  /** A stack of its own for a test run: same checkout and engines, own folder and ports. */
  public StackSettings at(Path otherHome, PortPlan otherPorts) {
    return new StackSettings(
        root, otherHome.toAbsolutePath().normalize(), engines, otherPorts, environment);
  }

  /** The same stack with further environment for platform-api, for tests that need more tenants. */
  public StackSettings with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(environment);
    more.put(name, value);
    return new StackSettings(root, home, engines, ports, more);
  }

  public Path data(String component) {
    return home.resolve("data").resolve(component);
  }

  /**
   * A {@code file:} URI below the component's data. Unlike {@link Path#toUri} it does not gain a
   * slash once the folder exists, so commands stay the same between starts.
   */
  public String dataUri(String component, String folder) {
    return "file://" + data(component).resolve(folder);
  }

  public Path log(String component) {
    return home.resolve("logs").resolve(component + ".log");
  }

  public Path infra(String path) {
    return root.resolve("infra").resolve(path);
  }
}
