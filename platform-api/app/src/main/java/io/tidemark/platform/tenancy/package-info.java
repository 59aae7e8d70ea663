/**
 * Organisations and their environments.
 *
 * <p>Words: an <em>organisation</em> is a tenant; nothing crosses from one to another. An
 * <em>environment</em> is a part of an organisation (production, staging) that keys and points
 * belong to. It is active, archived, or being deleted; a deletion becomes <em>final</em> after a
 * time in which it can be taken back. <em>Budgets</em> say what an environment may use of the
 * pipeline: its own, else its organisation's, else the plan's. It does not own keys or people
 * ({@code access}) nor points. Flat, because its rules are few. Guarded by {@code OrganizationsIT},
 * {@code EnvironmentsApiIT} and {@code OutboxPublisherIT}.
 */
@ApplicationModule(allowedDependencies = {"shared", "loops", "audit", "outbox"})
@NullMarked
package io.tidemark.platform.tenancy;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
