package io.tidemark.pipeline.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Lines, curves and words on white, as SVG. */
final class SvgDrawing {
  private static final String WORDS = "#333333";

  private final StringBuilder svg = new StringBuilder();

  /** A place in the drawing; y grows downwards. */
  record Coordinate(double x, double y) {}

  SvgDrawing(int width, int height) {
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">%n"
            .formatted(width, height));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
  }

  void line(double x1, double y1, double x2, double y2, String colour) {
    line(x1, y1, x2, y2, colour, "");
  }

  void dashed(double x1, double y1, double x2, double y2, String colour) {
    line(x1, y1, x2, y2, colour, " stroke-dasharray=\"5 4\"");
  }

  private void line(double x1, double y1, double x2, double y2, String colour, String more) {
    add(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"%s/>%n",
        x1, y1, x2, y2, colour, more);
  }

  /**
   * @param anchor start, middle or end
   */
  public void text(double x, double y, String anchor, String text) {
    add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
        x, y, anchor, WORDS, text.replace("&", "&amp;").replace("<", "&lt;"));
  }

  void dot(Coordinate place, String colour) {
    add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n", place.x(), place.y(), colour);
  }

  void curve(List<Coordinate> places, String colour) {
    StringBuilder points = new StringBuilder();
    for (Coordinate place : places) {
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", place.x(), place.y()));
    }
    add(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
        points.toString().strip(), colour);
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values));
  }

  public String text() {
    return svg + "</svg>\n";
  }

  public void write(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text());
  }
}
