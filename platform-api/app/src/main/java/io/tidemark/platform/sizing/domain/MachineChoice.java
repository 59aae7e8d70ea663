package io.tidemark.platform.sizing.domain;

/** The machines and volumes that are taken where a load names none. */
public record MachineChoice(
    String brokers,
    String brokerVolume,
    String workers,
    String historicals,
    String historicalVolume,
    String coordinators) {}
