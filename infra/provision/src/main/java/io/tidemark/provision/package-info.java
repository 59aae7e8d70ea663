/**
 * Makes the engines of a cluster equal the files of {@code infra/}: topics, Druid rules and
 * supervisors, Iceberg tables, running jobs. Everything goes over the engines' own network
 * interfaces, so the local lifecycle, Compose and Kubernetes share one code path; {@link
 * io.tidemark.provision.ProvisionCommand} is its command line, {@link
 * io.tidemark.provision.Provisioning} its library.
 *
 * <p>Not here: what is declared (it stands in {@code infra/}) and processes of engines (whoever
 * starts them owns them). {@code ArchitectureTest} guards what this package may use.
 */
@NullMarked
package io.tidemark.provision;

import org.jspecify.annotations.NullMarked;
