package io.tidemark.platform.access.web;

import io.tidemark.platform.shared.CurrentCaller;

/** Who one request is from. */
interface RequestCaller extends CurrentCaller {

  /** Whose limit of requests this one counts against. */
  String countedAs();
}
