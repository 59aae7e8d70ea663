package io.tidemark.pipeline.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Draws memory by component, and how far answers are behind, over the time of a soak, as SVG. */
final class SoakPicture {
  private static final int WIDTH = 820;
  private static final int LEFT = 70;
  private static final int RIGHT = 160;
  private static final int TOP = 40;
  private static final int PANEL = 300;
  private static final int GAP = 60;
  private static final int LAG_PANEL = 120;
  private static final int BOTTOM = 50;
  private static final int LINES = 4;
  private static final int WORDS = 14;
  private static final List<String> COLOURS =
      List.of(
          "#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f",
          "#bcbd22", "#17becf", "#393b79", "#637939", "#843c39");

  private final List<SoakTrend.Look> looks;
  private final double minutes;

  SoakPicture(List<SoakTrend.Look> looks) {
    this.looks = List.copyOf(looks);
    this.minutes = Math.max(1, looks.get(looks.size() - 1).minute());
  }

  public void write(Path file) throws IOException {
    drawing().write(file);
  }

  private SvgDrawing drawing() {
    SvgDrawing svg = new SvgDrawing(WIDTH, TOP + PANEL + GAP + LAG_PANEL + BOTTOM);
    svg.text(LEFT, 22, "start", "Resident memory by component at a steady rate, MiB");
    double most =
        looks.stream()
            .flatMap(look -> look.resident().values().stream())
            .mapToLong(Long::longValue)
            .max()
            .orElse(1);
    grid(svg, TOP, PANEL, most);
    List<Map.Entry<String, Long>> last =
        new ArrayList<>(looks.get(looks.size() - 1).resident().entrySet());
    last.sort(Map.Entry.<String, Long>comparingByValue().reversed());
    double word = TOP;
    for (int i = 0; i < last.size(); i++) {
      String component = last.get(i).getKey();
      String colour = COLOURS.get(i % COLOURS.size());
      curve(svg, TOP, PANEL, most, colour, look -> look.resident().getOrDefault(component, 0L));
      // Words keep a distance that curves need not have.
      word = Math.max(word + WORDS, y(TOP, PANEL, last.get(i).getValue() / most));
      svg.dot(new SvgDrawing.Coordinate(WIDTH - RIGHT + 10, word - 4), colour);
      svg.text(WIDTH - RIGHT + 18, word, "start", component);
    }
    double top = TOP + PANEL + GAP;
    svg.text(LEFT, top - 14, "start", "Answers complete until so many seconds ago");
    double longest = looks.stream().mapToDouble(SoakTrend.Look::behind).max().orElse(1);
    grid(svg, top, LAG_PANEL, longest);
    curve(svg, top, LAG_PANEL, longest, COLOURS.get(0), SoakTrend.Look::behind);
    for (int part = 0; part <= LINES; part++) {
      double minute = minutes * part / LINES;
      svg.text(
          x(minute), top + LAG_PANEL + 20, "middle", String.format(Locale.ROOT, "%.0f", minute));
    }
    svg.text((LEFT + WIDTH - RIGHT) / 2.0, top + LAG_PANEL + 40, "middle", "minutes");
    return svg;
  }

  private static void grid(SvgDrawing svg, double top, double height, double most) {
    for (int part = 0; part <= LINES; part++) {
      double y = y(top, height, (double) part / LINES);
      svg.line(LEFT, y, WIDTH - RIGHT, y, "#dddddd");
      svg.text(LEFT - 8, y + 4, "end", String.format(Locale.ROOT, "%.0f", most * part / LINES));
    }
  }

  private void curve(
      SvgDrawing svg,
      double top,
      double height,
      double most,
      String colour,
      ToDoubleFunction<SoakTrend.Look> value) {
    svg.curve(
        looks.stream()
            .map(
                look ->
                    new SvgDrawing.Coordinate(
                        x(look.minute()), y(top, height, value.applyAsDouble(look) / most)))
            .toList(),
        colour);
  }

  private double x(double minute) {
    return LEFT + minute / minutes * (WIDTH - LEFT - RIGHT);
  }

  private static double y(double top, double height, double part) {
    return top + height - part * height;
  }
}
