package io.tidemark.platform.access;

import java.time.Duration;

/** How often refused credentials are written to audit logs. */
public interface AuthFailureReportInterval {

  Duration authFailureReportInterval();
}
