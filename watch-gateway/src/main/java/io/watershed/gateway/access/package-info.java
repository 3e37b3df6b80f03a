/**
 * Who may do what. {@code AccessPolicy} is the port: {@code AlwaysAllow} stands behind it while there is no authentication, and
 * {@code ReadOnlyPolicy} in front of whatever stands there says what of that this server can do. Pure, any thread.
 */
@NullMarked
package io.watershed.gateway.access;

import org.jspecify.annotations.NullMarked;
