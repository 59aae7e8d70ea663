package io.tidemark.platform.notification;

import java.util.Map;

/**
 * What an attempt sent besides the body of its delivery.
 *
 * @param url where it went
 * @param headers those of ours that are no secret
 */
public record SentRequest(String url, Map<String, String> headers) {}
