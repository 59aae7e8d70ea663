/**
 * The certificate that every public door shows: HTTP, OTLP over HTTP and gRPC, and the Kafka
 * listener. It is a bundle of Spring Boot, read again when its files change; connections that are
 * made from then on see the new one.
 *
 * <p>It does not own any door: each asks for the certificate and encrypts what it accepts. Guarded
 * by {@code EncryptedDoorsIT}.
 */
@ApplicationModule(allowedDependencies = "shared")
@NullMarked
package io.tidemark.platform.tls;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
