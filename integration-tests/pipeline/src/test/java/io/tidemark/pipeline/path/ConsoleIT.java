package io.tidemark.pipeline.path;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.pipeline.support.Browser;
import io.tidemark.pipeline.support.FirstAdministrator;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/** The console in a real browser: each test of integration-tests/console is one here. */
@ExtendWith(RunningStack.class)
@Order(2)
class ConsoleIT {
  private static final int PATIENCE_MINUTES = 40;
  private static final File LOG = new File("target/console.log");

  private final RunningStack.Started stack = RunningStack.get();
  private final Path root = stack.settings().root();
  private final Path folder = root.resolve("integration-tests/console");

  @TestFactory
  List<DynamicTest> inTheBrowser() throws Exception {
    Browser person = FirstAdministrator.signIn(stack);
    assertThat(person.cookies()).containsOnlyKeys("__Host-tidemark-session");
    Path report = Files.createTempFile("console", ".json");
    if (isBehindItsLock(folder)) {
      assertThat(run("npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"))
          .as("npm ci")
          .isZero();
    }
    run(report, "npx", "--no-install", "playwright", "test");
    List<DynamicTest> tests = new ArrayList<>();
    collect(JsonHttp.JSON.readTree(report.toFile()).path("suites"), tests);
    assertThat(tests).as("what Playwright ran").isNotEmpty();
    return tests;
  }

  /** Whether the modules are not there, or were those of an older lock file. */
  private static boolean isBehindItsLock(Path folder) throws IOException {
    Path installed = folder.resolve("node_modules/.package-lock.json");
    return !Files.exists(installed)
        || Files.getLastModifiedTime(installed)
                .compareTo(Files.getLastModifiedTime(folder.resolve("package-lock.json")))
            < 0;
  }

  private static void collect(JsonNode suites, List<DynamicTest> tests) {
    for (JsonNode suite : suites) {
      for (JsonNode spec : suite.path("specs")) {
        String fault = spec.at("/tests/0/results/0/errors").toPrettyString();
        boolean passed = spec.path("ok").asBoolean();
        tests.add(
            DynamicTest.dynamicTest(
                spec.path("title").asText(), () -> assertThat(passed).as(fault).isTrue()));
      }
      collect(suite.path("suites"), tests);
    }
  }

  private int run(String... command) throws IOException, InterruptedException {
    return run(null, command);
  }

  private int run(Path report, String... command) throws IOException, InterruptedException {
    // The JVM of the tests speaks to Maven over its own streams: Node must not share them.
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(LOG));
    if (report != null) {
      builder.environment().put("CONSOLE_REPORT", report.toString());
      builder.environment().put("CONSOLE_URL", FirstAdministrator.site(stack));
      builder.environment().put("CONSOLE_MAIL", FirstAdministrator.mail());
      builder.environment().put("CONSOLE_PASSWORD", FirstAdministrator.PASSWORD);
      String pictures = System.getProperty("console.screenshots", "");
      if (Boolean.getBoolean("console.lighthouse")) {
        builder.environment().put("CONSOLE_LIGHTHOUSE", "1");
      }
      if (Boolean.getBoolean("console.all")) {
        builder.environment().put("CONSOLE_ALL", "1");
      }
      if (!pictures.isBlank()) {
        builder.environment().put("CONSOLE_SCREENSHOTS", pictures);
      }
    }
    Process process = builder.start();
    if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IOException(command[0] + " takes longer than " + PATIENCE_MINUTES + " minutes");
    }
    return process.exitValue();
  }
}
