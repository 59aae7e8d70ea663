package io.tidemark.platform.tenancy;

/** Tells the pipeline what an environment is like now. */
@FunctionalInterface
public interface TenantControlPublisher {

  /** Joins the running transaction of the organisation: told when, and only when, it commits. */
  void about(Environment environment);
}
