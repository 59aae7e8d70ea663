package io.tidemark.pipeline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  void write(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, svg());
  }

  private String svg() {
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">%n"
            .formatted(WIDTH, HEIGHT));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    text(svg, LEFT, 22, "start", "Latency of an acknowledgement by throughput, one machine");
    for (int power = (int) minLog; power <= maxLog; power++) {
      double y = y(Math.pow(10, power));
      line(svg, LEFT, y, WIDTH - RIGHT, y, "#dddddd", "");
      text(svg, LEFT - 8, y + 4, "end", milliseconds(Math.pow(10, power)));
    }
    for (LoadStep step : steps) {
      double x = x(step.perSecond());
      line(svg, x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 5, "#555555", "");
      text(
          svg,
          x,
          HEIGHT - BOTTOM + 20,
          "middle",
          String.format(Locale.ROOT, "%.1fk", step.perSecond() / 1e3));
    }
    text(
        svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", "acknowledged points per second");
    curve(svg, "p50", "#1f77b4", LoadStep::p50);
    curve(svg, "p95", "#ff7f0e", LoadStep::p95);
    curve(svg, "p99", "#d62728", LoadStep::p99);
    Optional<LoadStep> knee = LoadStep.knee(steps);
    knee.ifPresent(
        step -> {
          double x = x(step.perSecond());
          line(svg, x, TOP, x, HEIGHT - BOTTOM, "#2ca02c", " stroke-dasharray=\"5 4\"");
          text(svg, x, TOP - 4, "middle", "knee");
        });
    return svg.append("</svg>\n").toString();
  }

  private void curve(
      StringBuilder svg, String name, String colour, ToDoubleFunction<LoadStep> latency) {
    StringBuilder points = new StringBuilder();
    for (LoadStep step : steps) {
      double x = x(step.perSecond());
      double y = y(latency.applyAsDouble(step));
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
      svg.append(
          String.format(
              Locale.ROOT,
              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n",
              x,
              y,
              colour));
    }
    svg.append(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n"
            .formatted(points.toString().strip(), colour));
    LoadStep last = steps.get(steps.size() - 1);
    text(svg, x(last.perSecond()) + 8, y(latency.applyAsDouble(last)) + 4, "start", name);
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

  private static void line(
      StringBuilder svg, double x1, double y1, double x2, double y2, String colour, String more) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"%s/>%n",
            x1,
            y1,
            x2,
            y2,
            colour,
            more));
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#333333\">%s</text>%n",
            x,
            y,
            anchor,
            text));
  }
}
