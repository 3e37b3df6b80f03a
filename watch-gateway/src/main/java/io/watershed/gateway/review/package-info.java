/**
 * The three questions that clients ask about themselves: what their bodies say, and the answers. {@code Reviews} is the entry. Pure, any
 * thread.
 */
@NullMarked
package io.watershed.gateway.review;

import org.jspecify.annotations.NullMarked;
