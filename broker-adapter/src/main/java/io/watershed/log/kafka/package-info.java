/**
 * The log in Kafka: the topic's contract, the fenced transactional writer, the bounded reader. The only package that uses the Kafka client.
 * Each object is confined to the thread that created it, unless its Javadoc says otherwise.
 */
@NullMarked
package io.watershed.log.kafka;

import org.jspecify.annotations.NullMarked;
