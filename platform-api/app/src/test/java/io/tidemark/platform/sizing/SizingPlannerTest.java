package io.tidemark.platform.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.platform.sizing.domain.Load;
import io.tidemark.platform.sizing.domain.NodeGain;
import io.tidemark.platform.sizing.domain.Resource;
import io.tidemark.platform.sizing.domain.ResourceUse;
import io.tidemark.platform.sizing.domain.SizingPart;
import io.tidemark.platform.sizing.domain.SizingPlan;
import io.tidemark.platform.sizing.domain.SizingPlanner;
import io.tidemark.platform.sizing.domain.Unit;
import io.tidemark.platform.sizing.yaml.SizingFiles;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans of whole installations, from the packed files. */
class SizingPlannerTest {

  private final SizingPlanner planner = SizingFiles.planner();

  private Load load(String... pairs) {
    return SizingFiles.load(planner.prices(), "the test", "{}", List.of(pairs));
  }

  private SizingPlan plan(String... pairs) {
    return planner.plan(load(pairs));
  }

  private static SizingPart part(SizingPlan plan, String name) {
    return plan.parts().stream().filter(part -> part.name().equals(name)).findFirst().orElseThrow();
  }

  /**
   * By hand: 200,000 points/s · 88 B and, of a million series, 16,667 rows · 1.2 and 1,667 late
   * ones and 289 of hours and days · 60 B.
   */
  @Test
  void aPlanIsTheArithmeticOfItsPage() {
    SizingPlan plan = plan();
    assertThat(plan.rows()).isCloseTo(21_666.7, within(0.1));
    assertThat(plan.produced()).isCloseTo(17.6 + 1.317, within(0.001));
    // Four consumer groups, two other replicas.
    assertThat(plan.consumed()).isCloseTo(4 * 18.917, within(0.01));
    assertThat(plan.replicated()).isCloseTo(2 * 18.917, within(0.01));
    // (0.2 · 0.34 + 0.021956 · 1.04) · 3.5
    assertThat(part(plan, "Flink: rollup").busyCores()).isCloseTo(0.3179, within(0.001));
    assertThat(plan.slots()).isEqualTo(1);
    // 0.021956 · 25 · 2
    SizingPart indexers = part(plan, "Druid: streaming indexers");
    assertThat(indexers.busyCores()).isCloseTo(1.0978, within(0.001));
    assertThat(indexers.nodes()).isEqualTo(2);
    // 21,666.7 · 86,400 · 30 · 22.4 B = 1,258 GB
    assertThat(plan.segmentGigabytes()).isCloseTo(1258, within(1.0));
    SizingPart kafka = part(plan, "Kafka brokers");
    assertThat(kafka.nodes()).isEqualTo(3);
    assertThat(kafka.binds()).isEqualTo("copies; then space on volumes");
    assertThat(plan.limits()).isEmpty();
  }

  @Test
  void theTotalIsTheSumOfItsParts() {
    SizingPlan plan = plan();
    BigDecimal sum = plan.objectStorageCost().add(plan.zoneTrafficCost());
    for (SizingPart part : plan.parts()) {
      assertThat(part.cost()).isEqualByComparingTo(part.machineCost().add(part.volumeCost()));
      assertThat(part.machineCost())
          .as(part.name())
          .isEqualByComparingTo(part.nodeCost().multiply(BigDecimal.valueOf(part.nodes())));
      sum = sum.add(part.cost());
    }
    assertThat(plan.total()).isEqualByComparingTo(sum);
    // Three m5.2xlarge for 730 hours: 3 · 0.384 · 730.
    assertThat(part(plan, "Kafka brokers").machineCost()).isEqualByComparingTo("840.96");
  }

  /** More load never needs less. */
  @ParameterizedTest
  @CsvSource({
    "points, 1000, 10000000, 100000000",
    "series, 1000, 10000000, 100000000",
    "labels, 1, 20, 100",
    "requests, 1000, 100000, 10000000",
    "groups, 1, 100, 10000",
    "minutes-days, 1, 1000, 10000",
    "kafka-days, 1, 1000, 10000",
    "lake-days, 1, 1000, 10000"
  })
  void plansGrowWithTheLoad(String name, String small, String medium, String large) {
    List<SizingPlan> plans =
        List.of(
            plan("points=1000000", "series=10000000", name + "=" + small),
            plan("points=1000000", "series=10000000", name + "=" + medium),
            plan("points=1000000", "series=10000000", name + "=" + large));
    for (int each = 1; each < plans.size(); each++) {
      assertThat(plans.get(each).total()).isGreaterThanOrEqualTo(plans.get(each - 1).total());
      for (int one = 0; one < plans.get(each).parts().size(); one++) {
        assertThat(plans.get(each).parts().get(one).nodes())
            .isGreaterThanOrEqualTo(plans.get(each - 1).parts().get(one).nodes());
      }
    }
    assertThat(plans.get(2).total()).isGreaterThan(plans.get(0).total());
  }

  /** No part is planned beyond what it has, and one node less would not do. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "points=200000",
        "points=3000000",
        "series=40000000",
        "requests=90000",
        "groups=60"
      })
  void everyPartIsAsSmallAsItCanBe(String pair) {
    for (SizingPart part : plan(pair).parts()) {
      assertThat(part.utilization()).as(part.name()).isLessThanOrEqualTo(1 + 1e-6);
      assertThat(part.nodes()).as(part.name()).isGreaterThanOrEqualTo(part.minimum());
      if (!part.isAtMinimum()) {
        assertThat(part.utilization() * part.nodes() / (part.nodes() - 1.0))
            .as("%s with a node less", part.name())
            .isGreaterThan(1);
      }
    }
  }

  @Test
  void theFullestPartBindsFirst() {
    SizingPlan plan = plan("points=2000000", "series=1000000", "minutes-days=1");
    SizingPart first = plan.first();
    assertThat(plan.parts())
        .allSatisfy(
            part -> assertThat(part.utilization()).isLessThanOrEqualTo(first.utilization()));
    assertThat(first.name()).isEqualTo("Kafka brokers");
    assertThat(first.binding().map(ResourceUse::resource)).contains(Resource.DISK);
  }

  @Test
  void oneMoreBrokerBuysThroughputAndSpace() {
    assertThat(part(plan("groups=2"), "Kafka brokers").gains())
        .containsExactly(
            // A third of 192 MB/s.
            new NodeGain(64, Unit.MEGABYTES_PER_SECOND, ""),
            new NodeGain(16_384, Unit.GIGABYTES, ""));
    assertThat(part(plan(), "Druid: coordinators, ZooKeeper").more()).isEqualTo("nothing");
    assertThat(part(plan("requests=0"), "Druid: brokers").more()).isEqualTo("nothing");
  }

  /** What another worker carries: 16 cores · 0.6, of a million points that cost 0.655 cores. */
  @Test
  void oneMoreWorkerBuysAShareOfTheLoad() {
    NodeGain gain = part(plan("points=1000000"), "platform-api: receive").gains().get(0);
    assertThat(gain.amount()).isCloseTo(100 * 9.6 / 0.655, within(0.1));
    assertThat(gain.of()).isEqualTo("points");
  }

  @Test
  void manySeriesNeedMemoryBeforeCores() {
    SizingPart rollup = part(plan("points=100000", "series=100000000"), "Flink: rollup");
    // 10⁸ · 2,600 B = 242.1 GiB, of which a worker is planned for 38.4.
    assertThat(rollup.nodes()).isEqualTo(7);
    assertThat(rollup.binds()).isEqualTo("memory of open series");
  }

  /** Copies are paid for like every other node. */
  @Test
  void copiesOfSegmentsAreNodesThatCost() {
    SizingPart historicals = part(plan("points=1000", "series=1000"), "Druid: historicals");
    assertThat(historicals.nodes()).isEqualTo(2);
    // 2 · 0.504 · 730
    assertThat(historicals.machineCost()).isEqualByComparingTo("735.84");
    assertThat(part(plan("segment-replicas=5", "series=1000"), "Druid: historicals").nodes())
        .isEqualTo(5);
  }

  @Test
  void labelsWeighInKafkaInDruidAndInState() {
    SizingPlan few = plan("points=1000000", "labels=5");
    SizingPlan many = plan("points=1000000", "labels=15");
    // Ten labels more of 8 B a point, and 10 B a row.
    assertThat(many.produced() - few.produced())
        .isCloseTo(
            80 + 0.1 * (few.rows() + 1_000_000 / 3600.0 + 1_000_000 / 86_400.0) / 1000,
            within(0.01));
    assertThat(many.segmentGigabytes() / few.segmentGigabytes())
        .isCloseTo(32.4 / 22.4, within(1e-9));
    assertThat(part(many, "platform-api: receive").busyCores())
        .isCloseTo(0.655 + 10 * 0.034, within(1e-9));
    assertThat(plan("labels=0").produced()).isPositive();
  }

  @Test
  void moreSlotsThanTheRollupJobCanHaveAreToldAsALimit() {
    assertThat(plan("points=30000000", "series=300000000").limits()).isEmpty();
    SizingPlan plan = plan("points=50000000", "series=500000000");
    assertThat(plan.slots()).isGreaterThan(128);
    assertThat(plan.limits()).singleElement().asString().contains("max-parallelism 128");
  }

  @ParameterizedTest
  @CsvSource({
    "points=0, points",
    "points=-1, points",
    "points=.nan, points",
    "points=2e12, points",
    "series=0, series",
    "labels=-1, labels",
    "labels=1001, labels",
    "late=7, late",
    "late=-0.1, late",
    "split=1.1, split",
    "requests=-1, requests",
    "replication=0, replication",
    "replication=-3, replication",
    "groups=-1, groups",
    "segment-replicas=0, segment_replicas",
    "task-replicas=0, task_replicas",
    "kafka-days=0, kafka_days",
    "minutes-days=-1, minutes_days",
    "hot-hours=0, hot_hours",
    "lake-days=40000, lake_days",
    "busy=2, busy",
    "busy=0, busy",
    "brokers=abacus, brokers",
    "broker-volume=tape, broker_volume",
    "workers=abacus, workers",
    "historicals=abacus, historicals"
  })
  void wrongLoadsAreRefusedByTheNameOfTheField(String pair, String field) {
    Load wrong = pair.endsWith(".nan") ? withPoints(Double.NaN) : load(pair);
    assertThat(wrong.faults(planner.prices()))
        .singleElement()
        .satisfies(fault -> assertThat(fault.field()).isEqualTo(field))
        .satisfies(fault -> assertThat(fault.rule()).startsWith("must be "));
    assertThatThrownBy(() -> planner.plan(wrong)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void allFaultsOfALoadAreTold() {
    assertThat(load("points=0", "busy=2", "brokers=abacus").faults(planner.prices()))
        .extracting(Load.Fault::field)
        .containsExactly("points", "busy", "brokers");
  }

  /** The largest load that is taken has figures, not infinities. */
  @Test
  void theLargestAndTheSmallestLoadHaveFigures() {
    for (SizingPlan plan :
        List.of(
            plan(
                "points=1e12",
                "series=1e12",
                "labels=1000",
                "requests=1e9",
                "busy=0.01",
                "replication=100",
                "groups=10000",
                "kafka-days=36500",
                "minutes-days=36500",
                "lake-days=36500",
                "segment-replicas=100"),
            plan(
                "points=1",
                "series=1",
                "labels=0",
                "requests=1e-300",
                "busy=0.01",
                "kafka-days=0.01",
                "minutes-days=0.01",
                "lake-days=0.01"))) {
      assertThat(plan.total()).isPositive();
      for (SizingPart part : plan.parts()) {
        assertThat(part.nodes()).isPositive();
        assertThat(part.gains()).allSatisfy(gain -> assertThat(gain.amount()).isFinite());
        assertThat(part.resources())
            .allSatisfy(use -> assertThat(use.utilization()).isFinite().isNotNegative());
      }
    }
  }

  private Load withPoints(double points) {
    Load load = load();
    return new Load(
        points,
        load.series(),
        load.labels(),
        load.late(),
        load.split(),
        load.requests(),
        load.replication(),
        load.groups(),
        load.segmentReplicas(),
        load.taskReplicas(),
        load.kafkaDays(),
        load.minutesDays(),
        load.hotHours(),
        load.lakeDays(),
        load.busy(),
        load.brokers(),
        load.brokerVolume(),
        load.workers(),
        load.historicals());
  }
}
