package io.tidemark.platform.access;

/** What the settings say of how much the control API may be used. */
public interface ControlApiLimits {

  /** Requests of one organisation in a minute. */
  int controlRequestsPerMinute();
}
