package io.tidemark.platform.sizing.web;

import io.tidemark.platform.shared.ValidatedSettings;
import io.tidemark.platform.sizing.domain.SizingPlanner;
import io.tidemark.platform.sizing.yaml.SizingFileException;
import io.tidemark.platform.sizing.yaml.SizingFiles;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of sizing.
 *
 * @param prices file of machines and prices; empty: the one that is packed
 */
@ConfigurationProperties("tidemark.sizing")
record SizingProperties(@DefaultValue("") String prices) implements ValidatedSettings {

  SizingPlanner planner() {
    return prices.isBlank() ? SizingFiles.planner() : SizingFiles.planner(Path.of(prices));
  }

  @Override
  public List<String> faults() {
    try {
      planner();
      return List.of();
    } catch (SizingFileException wrong) {
      return List.of(
          "TIDEMARK_SIZING_PRICES names a file that is no price list: " + wrong.getMessage());
    } catch (InvalidPathException wrong) {
      return List.of("TIDEMARK_SIZING_PRICES is no path: " + prices);
    }
  }
}
