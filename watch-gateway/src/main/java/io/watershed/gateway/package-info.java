/** log → watch cache → HTTP. */
@NullMarked
package io.watershed.gateway;

import org.jspecify.annotations.NullMarked;
