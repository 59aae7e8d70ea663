package io.tidemark.platform.sizing.domain;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One kind of node: how many machines, what decides about their number, and what they cost.
 *
 * @param minimum the fewest nodes that copies allow, whatever the load
 * @param busyCores cores that are busy, of all nodes
 * @param slots of TaskManagers; 0 when the part is no Flink job
 * @param diskGigabytes of volumes, of all nodes
 * @param resources what it uses; empty when the load does not decide
 * @param gains what one more node buys
 * @param machineCost of a month
 * @param volumeCost of a month
 * @param nodeCost of one more node for a month, without its volume
 */
public record SizingPart(
    String name,
    String machine,
    long nodes,
    long minimum,
    double busyCores,
    long slots,
    double diskGigabytes,
    List<ResourceUse> resources,
    List<NodeGain> gains,
    BigDecimal machineCost,
    BigDecimal volumeCost,
    BigDecimal nodeCost) {

  /** The resource that is used most of what is planned for. */
  public Optional<ResourceUse> binding() {
    ResourceUse fullest = null;
    for (ResourceUse use : resources) {
      if (fullest == null || use.utilization() > fullest.utilization()) {
        fullest = use;
      }
    }
    return Optional.ofNullable(fullest);
  }

  /** The utilization of the resource that binds; 0 when the load does not decide. */
  public double utilization() {
    return binding().map(ResourceUse::utilization).orElse(0.0);
  }

  /** Whether fewer nodes would do for the load, and copies ask for these. */
  public boolean isAtMinimum() {
    return nodes == minimum;
  }

  /** What decides about the number of nodes, in words. */
  public String binds() {
    String first = minimum > 1 ? "copies" : "one node";
    return binding()
        .map(use -> (isAtMinimum() ? first + "; then " : "") + use.resource().text())
        .orElse(first);
  }

  /** What one more node buys, in words. */
  public String more() {
    return gains.isEmpty()
        ? "nothing"
        : gains.stream().map(NodeGain::text).collect(Collectors.joining(", "));
  }

  /** Of a month. */
  public BigDecimal cost() {
    return machineCost.add(volumeCost);
  }
}
