package io.tidemark.platform.sizing.domain;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Machines, volumes and what they cost.
 *
 * @param objectStorage price of a gigabyte for a month
 * @param zoneTraffic price of a gigabyte between zones
 */
public record PriceList(
    String currency,
    long hoursPerMonth,
    Map<String, Machine> machines,
    Map<String, Volume> volumes,
    BigDecimal objectStorage,
    BigDecimal zoneTraffic,
    MachineChoice use) {

  /** What is wrong beyond the kind of single values; empty when it can be used. */
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (hoursPerMonth <= 0) {
      faults.add("hours_per_month must be more than 0");
    }
    requireMachine(faults, "use.brokers", use.brokers());
    requireMachine(faults, "use.workers", use.workers());
    requireMachine(faults, "use.historicals", use.historicals());
    requireMachine(faults, "use.coordinators", use.coordinators());
    requireVolume(faults, "use.broker_volume", use.brokerVolume());
    requireVolume(faults, "use.historical_volume", use.historicalVolume());
    return faults;
  }

  private void requireMachine(List<String> faults, String field, String name) {
    if (!machines.containsKey(name)) {
      faults.add(field + " names " + name + ", which is not among the machines");
    }
  }

  private void requireVolume(List<String> faults, String field, String name) {
    if (!volumes.containsKey(name)) {
      faults.add(field + " names " + name + ", which is not among the volumes");
    }
  }

  /** Of a name that {@link Load#faults} does not name. */
  Machine machine(String name) {
    return Objects.requireNonNull(machines.get(name), name);
  }

  /** As above. */
  Volume volume(String name) {
    return Objects.requireNonNull(volumes.get(name), name);
  }

  BrokerThroughput broker(String machine, String volume) {
    return new BrokerThroughput(
        volume(volume).throughput(), machine(machine).storageNetwork(), machine(machine).network());
  }

  /** A month of so many machines. */
  BigDecimal month(String machine, long nodes) {
    return machine(machine)
        .hour()
        .multiply(BigDecimal.valueOf(nodes))
        .multiply(BigDecimal.valueOf(hoursPerMonth));
  }
}
