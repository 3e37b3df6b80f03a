@NullMarked
package io.watershed.catalogue;

import org.jspecify.annotations.NullMarked;
