package io.tidemark.platform.shared;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints wrong settings as a list instead of a stack trace. Registered in spring.factories. */
class InvalidSettingsFailureAnalyzer extends AbstractFailureAnalyzer<InvalidSettingsException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, InvalidSettingsException cause) {
    return new FailureAnalysis(
        "The configuration is wrong:\n  - " + String.join("\n  - ", cause.faults()),
        "Correct all of the settings above and start again; application.yaml explains each.",
        cause);
  }
}
