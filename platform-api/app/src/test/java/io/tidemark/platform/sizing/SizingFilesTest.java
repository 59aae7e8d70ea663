package io.tidemark.platform.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.sizing.domain.Figure;
import io.tidemark.platform.sizing.domain.SizingPlanner;
import io.tidemark.platform.sizing.yaml.SizingFileException;
import io.tidemark.platform.sizing.yaml.SizingFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of infra/sizing, and files in their place. */
class SizingFilesTest {

  private static final Path ROOT = Path.of("../..");

  /** With commas between thousands, as pages write them. */
  private static final Pattern NUMBER = Pattern.compile("\\d+(?:,\\d{3})*(?:\\.\\d+)?");

  @TempDir private Path folder;

  private Path prices(String from, String to) throws IOException {
    String text = Files.readString(ROOT.resolve("infra/sizing/prices.yaml"));
    assertThat(text).contains(from);
    return Files.writeString(folder.resolve("prices.yaml"), text.replace(from, to));
  }

  /** Every figure says where it was measured, or that it was not. */
  @Test
  void figuresSayWhereTheyComeFrom() {
    List<Figure> figures = SizingFiles.planner().measured().figures();
    assertThat(figures).hasSize(21).extracting(Figure::name).doesNotHaveDuplicates();
    for (Figure figure : figures) {
      assertThat(figure.source()).as(figure.name()).isNotBlank();
      assertThat(figure.value()).as(figure.name()).isPositive();
    }
    assertThat(figures).anyMatch(Figure::isAssumed).anyMatch(figure -> !figure.isAssumed());
  }

  /** A benchmark that is measured anew takes its old figures off the page; sizing must follow. */
  @Test
  void numbersOfASourceStandOnThePageThatItNames() throws IOException {
    for (Figure figure : SizingFiles.planner().measured().figures()) {
      if (figure.isAssumed()) {
        continue;
      }
      Matcher source = Pattern.compile("(docs/[a-z/-]+\\.md): (.+)").matcher(figure.source());
      assertThat(source.matches()).as("%s: a page and what it says", figure.name()).isTrue();
      String page = Files.readString(ROOT.resolve(source.group(1)));
      List<String> numbers =
          NUMBER.matcher(source.group(2)).results().map(MatchResult::group).toList();
      assertThat(numbers).as("%s: numbers of its source", figure.name()).isNotEmpty();
      assertThat(NUMBER.matcher(page).results().map(MatchResult::group))
          .as("%s: numbers on %s", figure.name(), source.group(1))
          .containsAll(numbers);
    }
  }

  @Test
  void ownPricesTakeThePlaceOfThePackedOnes() throws IOException {
    SizingPlanner dear = SizingFiles.planner(prices("hour: \"0.384\"", "hour: \"3.84\""));
    assertThat(dear.plan(SizingFiles.load(dear.prices())).total())
        .isGreaterThan(SizingFiles.planner().plan(SizingFiles.load(dear.prices())).total());
  }

  /** A price list of other machines needs no other load. */
  @Test
  void aLoadTakesTheMachinesThatThePriceListChooses() throws IOException {
    String text = Files.readString(ROOT.resolve("infra/sizing/prices.yaml"));
    Path own = Files.writeString(folder.resolve("own.yaml"), text.replace("m5.", "own-"));
    SizingPlanner planner = SizingFiles.planner(own);
    assertThat(SizingFiles.load(planner.prices()).brokers()).isEqualTo("own-2xlarge");
    assertThat(SizingFiles.load(planner.prices()).faults(planner.prices())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "currency: USD|currencies: USD|currency must be a text; currencies is not known",
        "hours_per_month: 730|hours_per_month: 0|hours_per_month must be more than 0",
        "hour: \"0.384\"|hour: cheap|machines.m5.2xlarge.hour must be an amount of money",
        "hour: \"0.384\"|hour: \"-1\"|machines.m5.2xlarge.hour must be an amount of money",
        "throughput: 1000|throughput: 0|volumes.gp3-1000.throughput must be more than 0",
        "brokers: m5.2xlarge|brokers: abacus|use.brokers names abacus",
        "broker_volume: gp3|broker_volume: tape|use.broker_volume names tape",
        "currency: USD|currency: [|expected",
      })
  void wrongPriceListsAreRefusedWithWhatIsWrong(String from, String to, String fault)
      throws IOException {
    Path wrong = prices(from, to);
    assertThatThrownBy(() -> SizingFiles.planner(wrong))
        .isInstanceOf(SizingFileException.class)
        .hasMessageContaining(fault)
        .hasMessageContaining("prices.yaml");
  }

  @Test
  void aPriceListThatIsNotThereIsTold() {
    assertThatThrownBy(() -> SizingFiles.planner(folder.resolve("none.yaml")))
        .hasMessageEndingWith("none.yaml: cannot be read");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "point=1",
        "points=many",
        "points",
        "=1",
        "replication=1.5",
        "points=.inf",
        "groups=",
        "a: b=1"
      })
  void valuesThatNoLoadHasAreRefused(String pair) {
    assertThatThrownBy(
            () -> SizingFiles.load(SizingFiles.planner().prices(), "the test", "{}", List.of(pair)))
        .isInstanceOf(SizingFileException.class);
  }
}
