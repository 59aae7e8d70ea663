package io.tidemark.pipeline.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Draws throughput against latency, with the knee marked, as SVG. */
final class LoadPicture {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 420;
  private static final int LEFT = 70;
  private static final int RIGHT = 90;
  private static final int TOP = 40;
  private static final int BOTTOM = 55;

  private final List<LoadStep> steps;
  private final double maxPoints;
  private final double minLog;
  private final double maxLog;

  LoadPicture(List<LoadStep> steps) {
    this.steps = List.copyOf(steps);
    this.maxPoints = 1.05 * steps.stream().mapToDouble(LoadStep::perSecond).max().orElse(1);
    this.minLog = Math.floor(Math.log10(steps.stream().mapToDouble(LoadStep::p50).min().orElse(1)));
    this.maxLog = Math.ceil(Math.log10(steps.stream().mapToDouble(LoadStep::p99).max().orElse(10)));
  }

  public void write(Path file) throws IOException {
    drawing().write(file);
  }

  private SvgDrawing drawing() {
    SvgDrawing svg = new SvgDrawing(WIDTH, HEIGHT);
    svg.text(LEFT, 22, "start", "Latency of an acknowledgement by throughput, one machine");
    for (int power = (int) minLog; power <= maxLog; power++) {
      double y = y(Math.pow(10, power));
      svg.line(LEFT, y, WIDTH - RIGHT, y, "#dddddd");
      svg.text(LEFT - 8, y + 4, "end", milliseconds(Math.pow(10, power)));
    }
    for (LoadStep step : steps) {
      double x = x(step.perSecond());
      svg.line(x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 5, "#555555");
      svg.text(
          x,
          HEIGHT - BOTTOM + 20,
          "middle",
          String.format(Locale.ROOT, "%.1fk", step.perSecond() / 1e3));
    }
    svg.text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", "acknowledged points per second");
    curve(svg, "p50", "#1f77b4", LoadStep::p50);
    curve(svg, "p95", "#ff7f0e", LoadStep::p95);
    curve(svg, "p99", "#d62728", LoadStep::p99);
    Optional<LoadStep> knee = LoadStep.knee(steps);
    knee.ifPresent(
        step -> {
          double x = x(step.perSecond());
          svg.dashed(x, TOP, x, HEIGHT - BOTTOM, "#2ca02c");
          svg.text(x, TOP - 4, "middle", "knee");
        });
    return svg;
  }

  private void curve(
      SvgDrawing svg, String name, String colour, ToDoubleFunction<LoadStep> latency) {
    List<SvgDrawing.Coordinate> places = new ArrayList<>();
    for (LoadStep step : steps) {
      places.add(new SvgDrawing.Coordinate(x(step.perSecond()), y(latency.applyAsDouble(step))));
    }
    places.forEach(place -> svg.dot(place, colour));
    svg.curve(places, colour);
    SvgDrawing.Coordinate last = places.get(places.size() - 1);
    svg.text(last.x() + 8, last.y() + 4, "start", name);
  }

  private double x(double pointsPerSecond) {
    return LEFT + pointsPerSecond / maxPoints * (WIDTH - LEFT - RIGHT);
  }

  private double y(double milliseconds) {
    double part = (Math.log10(milliseconds) - minLog) / Math.max(1, maxLog - minLog);
    return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
  }

  private static String milliseconds(double value) {
    return value >= 1_000
        ? String.format(Locale.ROOT, "%.0f s", value / 1e3)
        : value >= 1
            ? String.format(Locale.ROOT, "%.0f ms", value)
            : String.format(Locale.ROOT, "%.1f ms", value);
  }
}
