/**
 * Software that other people wrote, at the doors of the stack: collectors, Prometheus, SDKs,
 * Terraform.
 */
package io.tidemark.pipeline.clients;
