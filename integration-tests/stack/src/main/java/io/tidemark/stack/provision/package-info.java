/**
 * What must exist in the engines before data flows: topics, Druid rules and supervisors, Iceberg
 * tables, running jobs. Every step compares first and does nothing when all is as the files in
 * {@code infra/} say; all of it goes over the engines' own network interfaces, so it serves local
 * processes and containers alike.
 */
package io.tidemark.stack.provision;
