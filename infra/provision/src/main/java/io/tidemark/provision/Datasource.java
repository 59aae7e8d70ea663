package io.tidemark.provision;

/**
 * One datasource of Druid.
 *
 * @param state of its supervisor, as Druid names it
 * @param lag records of its topic that are not taken yet; -1 while that is not known
 * @param unparseable rows that running tasks could not read
 * @param handingOver tasks that hand their segments over
 * @param unavailable segments that no process serves
 */
public record Datasource(
    String name,
    String state,
    boolean isHealthy,
    long lag,
    long unparseable,
    int handingOver,
    long unavailable) {}
