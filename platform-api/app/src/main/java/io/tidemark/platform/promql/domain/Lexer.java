package io.tidemark.platform.promql.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cuts a text into tokens. */
final class Lexer {

  /** What a token is. */
  enum Kind {
    NAME,
    NUMBER,
    DURATION,
    STRING,
    SIGN,
    END
  }

  /**
   * A piece of the text.
   *
   * @param text of a string without its quotes
   * @param at place in the text, from 1
   */
  record Token(Kind kind, String text, int at) {
    boolean is(String sign) {
      return (kind == Kind.SIGN || kind == Kind.NAME) && text.equalsIgnoreCase(sign);
    }

    boolean isSign(String sign) {
      return kind == Kind.SIGN && text.equals(sign);
    }
  }

  private static final Pattern SPACE = Pattern.compile("(?:\\s|#[^\\n]*)+");
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Pattern DURATION =
      Pattern.compile("(?:\\d{1,9}(?:ms|[smhdwy]))+(?![a-zA-Z0-9_.])");
  private static final Pattern NUMBER =
      Pattern.compile(
          "(?:0[xX][0-9a-fA-F]{1,15}|(?:\\d{1,300}(?:\\.\\d{0,300})?|\\.\\d{1,300})(?:[eE][+-]?\\d{1,5})?)"
              + "(?![a-zA-Z0-9_.])");
  private static final Pattern SIGN = Pattern.compile("==|!=|<=|>=|=~|!~|[-+*/%^<>=(){}\\[\\],@:]");

  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int place;

  private Lexer(String text) {
    this.text = text;
  }

  /** All tokens, the last of which is the end. */
  static List<Token> tokens(String text) {
    return new Lexer(text).cut();
  }

  private List<Token> cut() {
    while (true) {
      Matcher space = SPACE.matcher(text).region(place, text.length());
      if (space.lookingAt()) {
        place = space.end();
      }
      if (place == text.length()) {
        tokens.add(new Token(Kind.END, "", place + 1));
        return tokens;
      }
      char first = text.charAt(place);
      if (first == '"' || first == '\'' || first == '`') {
        string(first);
      } else if (!take(NAME, Kind.NAME)
          && !take(DURATION, Kind.DURATION)
          && !take(NUMBER, Kind.NUMBER)
          && !take(SIGN, Kind.SIGN)) {
        throw fault(place, "unexpected character: '" + printable(first) + "'");
      }
    }
  }

  private boolean take(Pattern pattern, Kind kind) {
    // A colon begins a name only where no subquery's resolution can stand.
    if (kind == Kind.NAME && text.charAt(place) == ':' && isInBrackets()) {
      return false;
    }
    Matcher matcher = pattern.matcher(text).region(place, text.length());
    matcher.useTransparentBounds(true);
    if (!matcher.lookingAt()) {
      return false;
    }
    tokens.add(new Token(kind, matcher.group(), place + 1));
    place = matcher.end();
    return true;
  }

  private boolean isInBrackets() {
    for (int i = tokens.size() - 1; i >= 0; i--) {
      if (tokens.get(i).isSign("[")) {
        return true;
      } else if (tokens.get(i).isSign("]")) {
        return false;
      }
    }
    return false;
  }

  private void string(char quote) {
    int begin = place++;
    StringBuilder value = new StringBuilder();
    while (true) {
      if (place == text.length()) {
        throw fault(begin, "unterminated quoted string");
      }
      char next = text.charAt(place++);
      if (next == quote) {
        tokens.add(new Token(Kind.STRING, value.toString(), begin + 1));
        return;
      }
      if (next == '\n' && quote != '`') {
        throw fault(begin, "unterminated quoted string");
      }
      if (next == '\\' && quote != '`') {
        escape(value);
      } else {
        value.append(next);
      }
    }
  }

  private void escape(StringBuilder value) {
    char letter = place < text.length() ? text.charAt(place++) : ' ';
    switch (letter) {
      case 'a' -> value.append('\u0007');
      case 'b' -> value.append('\b');
      case 'f' -> value.append('\f');
      case 'n' -> value.append('\n');
      case 'r' -> value.append('\r');
      case 't' -> value.append('\t');
      case 'v' -> value.append('\u000b');
      case '\\', '\'', '"' -> value.append(letter);
      case 'x' -> value.append((char) code(2, 16));
      case 'u' -> value.append((char) code(4, 16));
      case 'U' -> {
        int code = code(8, 16);
        if (!Character.isValidCodePoint(code)) {
          throw fault(place - 8, "no character has this code");
        }
        value.appendCodePoint(code);
      }
      case '0', '1', '2', '3' -> {
        place--;
        value.append((char) code(3, 8));
      }
      default -> throw fault(place - 1, "unknown escape sequence");
    }
  }

  private int code(int digits, int radix) {
    if (place + digits > text.length()) {
      throw fault(place, "escape sequence not terminated");
    }
    String code = text.substring(place, place + digits);
    place += digits;
    for (char digit : code.toCharArray()) {
      if (Character.digit(digit, radix) < 0 || digit > 'f') {
        throw fault(place - digits, "escape sequence is no number");
      }
    }
    return Integer.parseUnsignedInt(code, radix);
  }

  private static String printable(char letter) {
    return Character.isISOControl(letter) ? String.format("\\u%04x", (int) letter) : "" + letter;
  }

  private static PromQlFault fault(int place, String what) {
    return PromQlFault.wrong("1:" + (place + 1) + ": parse error: " + what);
  }
}
