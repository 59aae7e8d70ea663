package io.tidemark.flink.model.alert;

/**
 * An incident that an open minute raised and no complete one has decided yet. State of jobs.
 *
 * @param signal {@link AlertSignal#identity} of what raised it
 * @param labels of the group
 * @param minute start of the minute that raised it; names the incident
 */
public record EarlyAlert(String signal, String labels, long minute) {}
