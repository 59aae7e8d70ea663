package io.tidemark.platform.promql.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionFormatterTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '§',
      value = {
        "1+2*3 | 1 + 2 * 3",
        "(1+2)*3 | (1 + 2) * 3",
        "1-(2-3) | 1 - (2 - 3)",
        "(1-2)-3 | 1 - 2 - 3",
        "2^3^2 | 2 ^ 3 ^ 2",
        "(2^3)^2 | (2 ^ 3) ^ 2",
        "-x^2 | -x ^ 2",
        "(-x)^2 | (-x) ^ 2",
        "-(x*2) | -(x * 2)",
        "0x10+5m | 16 + 300",
        "{__name__=\"up\",b=~'c'} | up{b=~\"c\"}",
        "{\"a.b\", \"c.d\"=\"e\\\"\"} | {\"a.b\", \"c.d\"=\"e\\\"\"}",
        "rate(x[90s] offset -1h @ 5) | rate(x[1m30s] @ 5 offset -1h)",
        "max_over_time((a+b)[1h:]) | max_over_time((a + b)[1h:1m])",
        "sum(x)by(b,a) | sum by (a, b) (x)",
        "avg without()(x) | avg without () (x)",
        "count_values by (b) ('a', x) | count_values by (b) (\"a\", x)",
        "a*on(c,b)group_left(d)e | a * on (b, c) group_left (d) e",
        "a==bool ignoring(c)b or vector(1) | a == bool ignoring (c) b or vector(1)"
      })
  void expressionsAreWrittenInTheirUsualForm(String text, String formatted) {
    assertThat(ExpressionFormatter.text(ExpressionParser.parse(text))).isEqualTo(formatted);
  }

  @Test
  void whatIsWrittenMeansTheSame() throws IOException {
    try (var file = getClass().getResourceAsStream("/promql-panels.txt")) {
      List<String> queries =
          new String(file.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#") && !line.contains("| no |"))
              .map(line -> line.substring(line.indexOf(" | ") + 3))
              .toList();
      for (String query : queries) {
        String once = ExpressionFormatter.text(ExpressionParser.parse(query));
        assertThat(ExpressionFormatter.text(ExpressionParser.parse(once))).isEqualTo(once);
      }
      assertThat(queries).hasSizeGreaterThan(90);
    }
  }
}
