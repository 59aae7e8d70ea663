package io.tidemark.platform.promql.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.promql.domain.LabelMatcher.Operator;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelMatcherTest {

  @ParameterizedTest
  @CsvSource({
    "EQUAL, a, a, true",
    "EQUAL, a, ab, false",
    "EQUAL, '', '', true",
    "NOT_EQUAL, a, '', true",
    "MATCHES, a, ab, false",
    "MATCHES, a|ab, ab, true",
    "MATCHES, a.b, 'a\nb', true",
    "MATCHES, (?i)A, a, true",
    "MATCHES, .*, '', true",
    "MATCHES, .+, '', false",
    "MATCHES_NOT, b.*, abc, true",
    "MATCHES_NOT, a.*, abc, false",
  })
  void wholeTextsAreMatched(Operator operator, String text, String value, boolean fits) {
    assertThat(new LabelMatcher("l", operator, text).matches(value)).isEqualTo(fits);
  }

  @Test
  void listsAreTold() {
    assertThat(new LabelMatcher("l", Operator.MATCHES, "a|b|").alternatives())
        .contains(Set.of("a", "b", ""));
    assertThat(new LabelMatcher("l", Operator.MATCHES, "a|b.").alternatives()).isEmpty();
    assertThat(new LabelMatcher("l", Operator.MATCHES, "").alternatives()).contains(Set.of(""));
  }

  @Test
  @Timeout(10)
  void noPatternTakesLong() {
    String many = "a".repeat(4_000);
    for (String pattern : new String[] {"(a+)+$", "(a*)*b", "(a|aa)+c", "(.*)(.*)(.*)(.*)x"}) {
      new LabelMatcher("l", Operator.MATCHES, pattern).matches(many + "!");
    }
  }

  @Test
  void whatIsTooMuchIsRefused() {
    for (String pattern : new String[] {"a".repeat(5_000), "a{1001}", "(a{50}){50}", "(", "\\1"}) {
      assertThatThrownBy(() -> new LabelMatcher("l", Operator.MATCHES, pattern))
          .isInstanceOf(PromQlFault.class);
    }
  }
}
