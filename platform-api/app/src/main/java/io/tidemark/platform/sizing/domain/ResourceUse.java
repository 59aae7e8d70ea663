package io.tidemark.platform.sizing.domain;

/**
 * How much of a resource a part uses, of all its nodes.
 *
 * @param planned what the nodes are planned for: a share of what they have
 */
public record ResourceUse(Resource resource, double used, double planned, Unit unit) {

  /** The share of what is planned for that is used; 1 is full. */
  public double utilization() {
    return used / planned;
  }
}
