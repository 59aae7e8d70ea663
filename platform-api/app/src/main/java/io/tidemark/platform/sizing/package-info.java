/**
 * Sizing: how many brokers, TaskManagers and Druid nodes a load needs, what they cost, and what
 * binds first.
 *
 * <p>Words: a <em>load</em> is what is sent, asked and kept; a <em>part</em> is one kind of node; a
 * part's <em>resource</em> is used up to a <em>utilization</em> of what is planned for. It is
 * arithmetic over files of {@code infra/sizing}: it reads no tenant's data and stores nothing. The
 * packages {@code domain}, {@code yaml} and {@code command} know no Spring, because {@code
 * infra/sizing/pom.xml} compiles them once more, alone, for {@code make sizing}. Guarded by {@code
 * SizingPlannerTest}, {@code SizingCommandTest} and {@code SizingApiIT}.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"shared"})
package io.tidemark.platform.sizing;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
