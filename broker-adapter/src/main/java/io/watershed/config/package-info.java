/**
 * How both processes are configured: flags over environment over a YAML file over defaults, with one mechanical rule between the three
 * names of a setting. {@code Settings} is the entry. Runs once, at start, on the main thread.
 */
@NullMarked
package io.watershed.config;

import org.jspecify.annotations.NullMarked;
