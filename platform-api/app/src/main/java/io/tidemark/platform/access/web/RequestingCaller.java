package io.tidemark.platform.access.web;

import io.tidemark.platform.shared.CallerOfRequest;

/** Who one request is from. */
interface RequestingCaller extends CallerOfRequest {

  /** Whose limit of requests this one counts against. */
  String countedAs();
}
