/**
 * The HTTP server: requests in, lists and watches out. {@code GatewayServer} is the entry. One server an event loop; everything of a
 * request runs on its loop, which nothing here blocks.
 */
@NullMarked
package io.watershed.gateway.http;

import org.jspecify.annotations.NullMarked;
