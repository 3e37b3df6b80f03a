/** Real servers as child processes, for tests of every module. Knows none of our modules. */
@NullMarked
package io.watershed.testkit;

import org.jspecify.annotations.NullMarked;
