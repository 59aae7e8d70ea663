package io.tidemark.platform.billing.document;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDType0Font;
import org.apache.pdfbox.pdmodel.graphics.state.RenderingMode;
import org.jspecify.annotations.Nullable;

/**
 * Pages of A4 that text is put on from top to bottom. The font is embedded; a character that it
 * does not have becomes a question mark.
 */
final class PdfPages {

  private static final String FONT = "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";
  private static final float BLACK = 0.1f;
  private static final float GREY = 0.45f;

  private final PDDocument document;
  private final PDType0Font font;
  private final Map<Integer, Boolean> known = new HashMap<>();
  private final List<PDPage> pages = new ArrayList<>();
  private @Nullable PDPageContentStream content;
  private float place;

  PdfPages(PDDocument document) throws IOException {
    this.document = document;
    try (InputStream file = PDDocument.class.getResourceAsStream(FONT)) {
      font = PDType0Font.load(document, file, true);
    }
  }

  /** Begins a page. */
  void begin(float top) throws IOException {
    close();
    PDPage page = new PDPage(PDRectangle.A4);
    document.addPage(page);
    pages.add(page);
    content = new PDPageContentStream(document, page);
    place = top;
  }

  float place() {
    return place;
  }

  void moveTo(float height) {
    place = height;
  }

  void down(float distance) {
    place -= distance;
  }

  void text(float left, float size, boolean isBold, String text) throws IOException {
    put(left, size, isBold, BLACK, text);
  }

  void textRight(float right, float size, boolean isBold, String text) throws IOException {
    put(right - width(text, size), size, isBold, BLACK, text);
  }

  void grey(float left, float size, String text) throws IOException {
    put(left, size, false, GREY, text);
  }

  void greyRight(float right, float size, String text) throws IOException {
    put(right - width(text, size), size, false, GREY, text);
  }

  /** A line across, at the place. */
  void rule(float left, float right, float thickness) throws IOException {
    Objects.requireNonNull(content).setStrokingColor(GREY);
    content.setLineWidth(thickness);
    content.moveTo(left, place);
    content.lineTo(right, place);
    content.stroke();
  }

  private void put(float left, float size, boolean isBold, float grey, String text)
      throws IOException {
    Objects.requireNonNull(content).beginText();
    content.setFont(font, size);
    content.setNonStrokingColor(grey);
    content.setStrokingColor(grey);
    // The font has one weight: bold is its outline drawn too.
    content.setLineWidth(size / 30);
    content.setRenderingMode(isBold ? RenderingMode.FILL_STROKE : RenderingMode.FILL);
    content.newLineAtOffset(left, place);
    content.showText(shown(text));
    content.endText();
  }

  private float width(String text, float size) throws IOException {
    return font.getStringWidth(shown(text)) / 1000 * size;
  }

  /** The text in lines of that width at most, broken at spaces, or anywhere in a longer word. */
  List<String> wrapped(String text, float size, float width) throws IOException {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      String longer = line.isEmpty() ? word : line + " " + word;
      if (width(longer, size) <= width) {
        line = new StringBuilder(longer);
        continue;
      }
      if (!line.isEmpty()) {
        lines.add(line.toString());
      }
      line = new StringBuilder();
      for (int point : word.codePoints().toArray()) {
        if (width(line.toString() + Character.toString(point), size) > width) {
          lines.add(line.toString());
          line = new StringBuilder();
        }
        line.appendCodePoint(point);
      }
    }
    lines.add(line.toString());
    return lines;
  }

  private String shown(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints().forEach(point -> shown.append(has(point) ? Character.toString(point) : "?"));
    return shown.toString();
  }

  private boolean has(int point) {
    return known.computeIfAbsent(
        point,
        unknown -> {
          try {
            return !Character.isISOControl(point)
                && font.encode(Character.toString(point)).length > 0;
          } catch (IOException | IllegalArgumentException none) {
            return false;
          }
        });
  }

  /** Writes the footer and the number on every page. */
  void finish(List<String> footer, float left, float right, float bottom) throws IOException {
    close();
    for (int i = 0; i < pages.size(); i++) {
      content =
          new PDPageContentStream(
              document, pages.get(i), PDPageContentStream.AppendMode.APPEND, true, true);
      place = bottom + 12;
      rule(left, right, 0.4f);
      place = bottom;
      for (String line : footer) {
        grey(left, 7, line);
        place -= 9;
      }
      place = bottom;
      greyRight(right, 7, "Page " + (i + 1) + " of " + pages.size());
      close();
    }
  }

  private void close() throws IOException {
    if (content != null) {
      content.close();
      content = null;
    }
  }
}
