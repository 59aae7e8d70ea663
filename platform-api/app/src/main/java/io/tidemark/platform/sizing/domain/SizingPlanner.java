package io.tidemark.platform.sizing.domain;

import static io.tidemark.platform.sizing.domain.BrokerThroughput.TARGET;

import java.math.BigDecimal;
import java.util.List;

/**
 * Computes what a load needs, from measured costs and a price list. {@code docs/scaling} explains
 * the arithmetic. Bytes are counted by powers of 1000.
 */
public final class SizingPlanner {

  private static final double MEGA = 1e6;
  private static final double GIGA = 1e9;
  private static final double GIBIBYTE = 1 << 30;
  private static final double SECONDS_PER_DAY = 86_400;
  private static final double DAYS_PER_MONTH = 30;

  /** A segment that no query reads may lie on disk: sixteen times the memory that is for them. */
  private static final double DISK_OF_SEGMENTS = 16;

  /** The rest of a historical's memory is for queries. */
  private static final double MEMORY_OF_SEGMENTS = 0.5;

  /** Of the queries; the others are of older rows. */
  private static final double QUERIES_OF_HOT_TIER = 0.9;

  /** Of what a query costs in Druid; the broker merges, platform-api shapes the answer. */
  private static final double BROKERS_SHARE = 1.0 / 3;

  /** More is as good as everything, and a quotient of almost nothing has no end. */
  private static final double MAX_PERCENT = 1e12;

  /** Two coordinators and three of ZooKeeper. */
  private static final long COORDINATORS = 5;

  private final MeasuredCosts measured;
  private final PriceList prices;
  private final int maxParallelism;

  /**
   * A planner.
   *
   * @param maxParallelism of the rollup job
   */
  public SizingPlanner(MeasuredCosts measured, PriceList prices, int maxParallelism) {
    this.measured = measured;
    this.prices = prices;
    this.maxParallelism = maxParallelism;
  }

  public PriceList prices() {
    return prices;
  }

  public MeasuredCosts measured() {
    return measured;
  }

  /**
   * Plans a load.
   *
   * @throws IllegalArgumentException when the load has faults; ask for them first
   */
  public SizingPlan plan(Load load) {
    if (!load.faults(prices).isEmpty()) {
      throw new IllegalArgumentException("The load has faults: " + load.faults(prices));
    }
    // A minute has a row for each series that has a point in it, another for each split one, and
    // one more for each late point; points of a series come six to a minute.
    double rows =
        Math.min(load.series() / 60, load.points()) * (1 + load.split())
            + load.points() * load.late() / 6;
    double longer = load.series() / 3600 + load.series() / SECONDS_PER_DAY;
    double produced =
        (load.points() * bytesOfPoint(load) + (rows + longer) * bytesOfRow(load)) / MEGA;
    SizingPart rollup = rollup(load, rows + longer);
    double minutes = rows * SECONDS_PER_DAY * load.minutesDays() * bytesOfStoredRow(load) / GIGA;
    double lake =
        (load.points() * measured.bytes().pointInLake().value()
                + rows * measured.bytes().rowInLake().value())
            * SECONDS_PER_DAY
            * load.lakeDays()
            / GIGA;
    double replicated = produced * (load.replication() - 1);
    double zones = replicated * SECONDS_PER_DAY * DAYS_PER_MONTH / 1000;
    return new SizingPlan(
        List.of(
            receiving(load),
            kafka(load, produced),
            rollup,
            lakeJob(load, rows + longer),
            streamingIndexers(load, rows + longer),
            batchIndexers(load, rows + longer),
            hotHistoricals(load, rows),
            historicals(load, minutes),
            druidBrokers(load),
            answering(load),
            coordinators()),
        rows,
        produced,
        produced * load.groups(),
        replicated,
        rollup.slots(),
        lake,
        minutes,
        zones,
        price(lake + minutes, prices.objectStorage()),
        price(zones, prices.zoneTraffic()),
        limits(rollup.slots()));
  }

  private static double cost(double rate, Figure figure) {
    return rate / MEGA * figure.value();
  }

  /** Labels more, or less, than the figures were measured with. */
  private double moreLabels(Load load) {
    return load.labels() - measured.labels().value();
  }

  private double withLabels(Load load, Figure one, Figure label) {
    return Math.max(0, one.value() + moreLabels(load) * label.value());
  }

  private double bytesOfPoint(Load load) {
    MeasuredCosts.Bytes bytes = measured.bytes();
    return withLabels(load, bytes.pointInKafka(), bytes.labelOfPointInKafka());
  }

  private double bytesOfRow(Load load) {
    MeasuredCosts.Bytes bytes = measured.bytes();
    return withLabels(load, bytes.rowInKafka(), bytes.labelOfRowInKafka());
  }

  private double bytesOfStoredRow(Load load) {
    MeasuredCosts.Bytes bytes = measured.bytes();
    return withLabels(load, bytes.rowInDruid(), bytes.labelOfRowInDruid());
  }

  private SizingPart receiving(Load load) {
    MeasuredCosts.CoreSeconds costs = measured.coreSeconds();
    double each = withLabels(load, costs.pointsReceived(), costs.labelsReceived());
    return byCores(load, "platform-api: receive", load.points() / MEGA * each, 2, "points");
  }

  private SizingPart answering(Load load) {
    double busy = cost(load.requests(), measured.coreSeconds().queries()) * BROKERS_SHARE;
    return byCores(load, "platform-api: answer", busy, 2, "requests");
  }

  private SizingPart druidBrokers(Load load) {
    double busy = cost(load.requests(), measured.coreSeconds().queries()) * BROKERS_SHARE;
    return byCores(load, "Druid: brokers", busy, 2, "requests");
  }

  private SizingPart lakeJob(Load load, double rows) {
    double busy =
        cost(load.points(), measured.coreSeconds().pointsKept())
            + cost(rows, measured.coreSeconds().rowsKept());
    SizingPart part = byCores(load, "Flink: lake", busy, 1, "points");
    return withSlots(part, load);
  }

  private SizingPart streamingIndexers(Load load, double rows) {
    double busy = cost(rows, measured.coreSeconds().rowsIndexed()) * load.taskReplicas();
    return byCores(load, "Druid: streaming indexers", busy, load.taskReplicas(), "rows");
  }

  private SizingPart batchIndexers(Load load, double rows) {
    double busy = cost(rows, measured.coreSeconds().rowsCompacted());
    return byCores(load, "Druid: batch indexers", busy, 1, "rows");
  }

  private SizingPart hotHistoricals(Load load, double rows) {
    double gigabytes = rows * 3600 * load.hotHours() * bytesOfStoredRow(load) / GIGA;
    double busy = cost(load.requests(), measured.coreSeconds().queries()) * QUERIES_OF_HOT_TIER;
    return serving(load, "Druid: hot historicals", gigabytes, busy, 1);
  }

  private SizingPart historicals(Load load, double minutes) {
    double busy =
        cost(load.requests(), measured.coreSeconds().queries()) * (1 - QUERIES_OF_HOT_TIER);
    return serving(
        load, "Druid: historicals", minutes * load.segmentReplicas(), busy, load.segmentReplicas());
  }

  private SizingPart coordinators() {
    String machine = prices.use().coordinators();
    return part(
        "Druid: coordinators, ZooKeeper",
        machine,
        COORDINATORS,
        COORDINATORS,
        0,
        0,
        List.of(),
        List.of(),
        BigDecimal.ZERO);
  }

  /** The rollup job needs cores for points and rows, and memory for open series. */
  private SizingPart rollup(Load load, double rows) {
    MeasuredCosts.CoreSeconds costs = measured.coreSeconds();
    double busy =
        (cost(load.points(), costs.pointsRolledUp()) + cost(rows, costs.rowsRolledUp()))
            * measured.livePace().value();
    Machine worker = prices.machine(load.workers());
    double cores = worker.cores() * load.busy();
    double memory = worker.memoryGibibytes() * load.busy();
    double state =
        load.series()
            * withLabels(
                load, measured.bytes().seriesInFlink(), measured.bytes().labelOfSeriesInFlink())
            / GIBIBYTE;
    long nodes = Math.max(1, Math.max(Rounding.up(busy / cores), Rounding.up(state / memory)));
    return withSlots(
        part(
            "Flink: rollup",
            load.workers(),
            nodes,
            1,
            busy,
            0,
            List.of(
                new ResourceUse(Resource.CORES, busy, nodes * cores, Unit.CORES),
                new ResourceUse(Resource.MEMORY, state, nodes * memory, Unit.GIBIBYTES)),
            List.of(percent(cores, busy, "points"), percent(memory, state, "series")),
            BigDecimal.ZERO),
        load);
  }

  /** Sizes brokers by what they move and by what they keep. */
  private SizingPart kafka(Load load, double produced) {
    BrokerThroughput broker = prices.broker(load.brokers(), load.brokerVolume());
    Volume volume = prices.volume(load.brokerVolume());
    double disk =
        produced * SECONDS_PER_DAY * load.kafkaDays() / 1000 * load.replication() / TARGET;
    long nodes =
        Math.max(
            broker.brokersFor(produced, load.replication(), load.groups()),
            Rounding.up(disk / volume.largestGigabytes()));
    double written = produced * load.replication();
    double leaving = produced * (load.groups() + load.replication() - 1.0);
    double planned = TARGET * nodes;
    return part(
        "Kafka brokers",
        load.brokers(),
        nodes,
        load.replication(),
        0,
        disk,
        List.of(
            new ResourceUse(
                Resource.STORAGE, written, planned * broker.storage(), Unit.MEGABYTES_PER_SECOND),
            new ResourceUse(
                Resource.STORAGE_NETWORK,
                written,
                planned * broker.storageNetwork(),
                Unit.MEGABYTES_PER_SECOND),
            new ResourceUse(
                Resource.NETWORK, leaving, planned * broker.network(), Unit.MEGABYTES_PER_SECOND),
            new ResourceUse(
                Resource.DISK, disk, nodes * volume.largestGigabytes(), Unit.GIGABYTES)),
        List.of(
            NodeGain.of(
                broker.planned(1, load.replication(), load.groups()), Unit.MEGABYTES_PER_SECOND),
            NodeGain.of(volume.largestGigabytes(), Unit.GIGABYTES)),
        price(disk, volume.gigabyteMonth()));
  }

  /** Sizes a part by busy cores alone. */
  private SizingPart byCores(Load load, String name, double busy, long minimum, String of) {
    double each = prices.machine(load.workers()).cores() * load.busy();
    long nodes = Math.max(minimum, Rounding.up(busy / each));
    return part(
        name,
        load.workers(),
        nodes,
        minimum,
        busy,
        0,
        List.of(new ResourceUse(Resource.CORES, busy, nodes * each, Unit.CORES)),
        busy > 0 ? List.of(percent(each, busy, of)) : List.of(),
        BigDecimal.ZERO);
  }

  /** Sizes historicals: a part of the memory is for segments that are read, the rest is on disk. */
  private SizingPart serving(Load load, String name, double gigabytes, double busy, long minimum) {
    Machine machine = prices.machine(load.historicals());
    double cores = machine.cores() * load.busy();
    double holds = machine.memoryGibibytes() * MEMORY_OF_SEGMENTS * DISK_OF_SEGMENTS;
    long nodes =
        Math.max(minimum, Math.max(Rounding.up(gigabytes / holds), Rounding.up(busy / cores)));
    double disk = gigabytes / TARGET;
    return part(
        name,
        load.historicals(),
        nodes,
        minimum,
        busy,
        disk,
        List.of(
            new ResourceUse(Resource.DISK, gigabytes, nodes * holds, Unit.GIGABYTES),
            new ResourceUse(Resource.CORES, busy, nodes * cores, Unit.CORES)),
        List.of(NodeGain.of(holds, Unit.GIGABYTES), NodeGain.of(cores, Unit.CORES)),
        price(disk, prices.volume(prices.use().historicalVolume()).gigabyteMonth()));
  }

  /** How much more of the load one more node carries. */
  private static NodeGain percent(double each, double used, String of) {
    return new NodeGain(Math.min(100 * each / used, MAX_PERCENT), Unit.PERCENT, of);
  }

  private SizingPart part(
      String name,
      String machine,
      long nodes,
      long minimum,
      double busy,
      double disk,
      List<ResourceUse> resources,
      List<NodeGain> gains,
      BigDecimal volumeCost) {
    return new SizingPart(
        name,
        machine,
        nodes,
        minimum,
        busy,
        0,
        disk,
        resources,
        gains,
        prices.month(machine, nodes),
        volumeCost,
        prices.month(machine, 1));
  }

  /** A slot is planned for one core. */
  private static SizingPart withSlots(SizingPart part, Load load) {
    return new SizingPart(
        part.name(),
        part.machine(),
        part.nodes(),
        part.minimum(),
        part.busyCores(),
        (long) Math.ceil(part.busyCores() / load.busy()),
        part.diskGigabytes(),
        part.resources(),
        part.gains(),
        part.machineCost(),
        part.volumeCost(),
        part.nodeCost());
  }

  /** Price of so many whole units. */
  private static BigDecimal price(double units, BigDecimal each) {
    return each.multiply(new BigDecimal(Math.ceil(units)));
  }

  private List<String> limits(long slots) {
    return slots > maxParallelism
        ? List.of(
            "%d slots for the rollup job; infra/flink/config.yaml has max-parallelism %d, and a savepoint keeps it"
                .formatted(slots, maxParallelism))
        : List.of();
  }
}
