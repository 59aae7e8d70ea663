package io.tidemark.pipeline.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Draws what answers lacked after each fault: a field for each fault, a curve for each round. */
final class RecoveryPicture {
  private static final int COLUMNS = 3;
  private static final int FIELD_WIDTH = 300;
  private static final int FIELD_HEIGHT = 170;
  private static final int LEFT = 45;
  private static final int TOP = 45;
  private static final int PLOT_WIDTH = 235;
  private static final int PLOT_HEIGHT = 95;
  private static final int HEAD = 30;
  private static final double GOAL_SECONDS = 60;
  private static final double MIN_SECONDS = 90;
  private static final List<String> COLOURS = List.of("#1f77b4", "#ff7f0e", "#9467bd", "#8c564b");

  private final Map<String, List<RecoveryCurve>> byFault = new LinkedHashMap<>();
  private final double longest;

  RecoveryPicture(List<RecoveryCurve> curves) {
    curves.forEach(
        curve -> byFault.computeIfAbsent(curve.fault(), unknown -> new ArrayList<>()).add(curve));
    // One scale for all, so that fields can be compared.
    this.longest =
        Math.max(MIN_SECONDS, curves.stream().mapToDouble(RecoveryCurve::seconds).max().orElse(0));
  }

  public void write(Path file) throws IOException {
    drawing().write(file);
  }

  SvgDrawing drawing() {
    int rows = (byFault.size() + COLUMNS - 1) / COLUMNS;
    SvgDrawing svg = new SvgDrawing(COLUMNS * FIELD_WIDTH, HEAD + Math.max(1, rows) * FIELD_HEIGHT);
    svg.text(
        10,
        20,
        "start",
        "Part of the points that answers lack, by seconds after the fault; dashed: 60 s; dot: whole and final");
    int number = 0;
    for (var fault : byFault.entrySet()) {
      int left = number % COLUMNS * FIELD_WIDTH + LEFT;
      int top = HEAD + number / COLUMNS * FIELD_HEIGHT + TOP;
      field(svg, left, top, fault.getKey());
      for (int round = 0; round < fault.getValue().size(); round++) {
        curve(svg, left, top, fault.getValue().get(round), COLOURS.get(round % COLOURS.size()));
      }
      number++;
    }
    return svg;
  }

  private void field(SvgDrawing svg, int left, int top, String fault) {
    svg.text(left, top - 12, "start", fault);
    for (int percent = 0; percent <= 100; percent += 50) {
      double y = top + PLOT_HEIGHT * (1 - percent / 100.0);
      svg.line(left, y, left + PLOT_WIDTH, y, "#dddddd");
      svg.text(left - 6, y + 4, "end", percent + " %");
    }
    for (int part = 0; part <= 2; part++) {
      double seconds = longest * part / 2;
      svg.text(x(left, seconds), top + PLOT_HEIGHT + 18, "middle", Math.round(seconds) + " s");
    }
    double goal = x(left, GOAL_SECONDS);
    svg.dashed(goal, top, goal, top + PLOT_HEIGHT, "#2ca02c");
  }

  private void curve(SvgDrawing svg, int left, int top, RecoveryCurve curve, String colour) {
    List<SvgDrawing.Coordinate> places = new ArrayList<>();
    curve
        .seen()
        .forEach(
            each ->
                places.add(
                    new SvgDrawing.Coordinate(
                        x(left, each.seconds()), top + PLOT_HEIGHT * (1 - curve.lacking(each)))));
    svg.curve(places, colour);
    curve
        .whole()
        .ifPresent(
            seconds ->
                svg.dot(new SvgDrawing.Coordinate(x(left, seconds), top + PLOT_HEIGHT), colour));
  }

  private double x(int left, double seconds) {
    return left + PLOT_WIDTH * seconds / longest;
  }
}
