package io.watershed.gateway.http;

import io.watershed.gateway.fanout.FanoutSettings;

/**
 * What the operator decides about the server.
 *
 * @param host address to listen on
 * @param port 0 takes a free one
 * @param undecodable what becomes of objects whose value could not be decoded
 */
public record ServerSettings(String host, int port, FanoutSettings.Undecodable undecodable) {}
