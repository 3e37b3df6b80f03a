/**
 * A real kube-apiserver's recorded answers, asked again of a server of ours. {@code GoldenSet} reads the recording, {@code GoldenHistory}
 * loads etcd with the state behind it, {@code GoldenRun} asks the cases, {@code AnswerComparison} and what it stands on compares, and
 * {@code Verdicts} judges by the two lists of cases that may differ. What is compared and what is masked stands in the set's README.
 *
 * <p><em>Threads:</em> a run asks from threads of its own; comparing is pure.
 */
@NullMarked
package io.watershed.e2e.golden;

import org.jspecify.annotations.NullMarked;
