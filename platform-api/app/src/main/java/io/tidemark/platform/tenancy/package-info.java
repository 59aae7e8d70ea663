/**
 * Organisations and their environments.
 *
 * <p>Words: an <em>organisation</em> is a tenant; nothing crosses from one to another. An
 * <em>environment</em> is a part of an organisation (production, staging) that keys and points
 * belong to. It does not own keys or people ({@code access}) nor points. Flat, because it holds no
 * rules. Guarded by {@code OrganizationsIT}.
 */
@ApplicationModule(allowedDependencies = "shared")
package io.tidemark.platform.tenancy;

import org.springframework.modulith.ApplicationModule;
