/**
 * OpenAPI v3 documents of custom resources, made of their CustomResourceDefinitions, for {@code kubectl explain} and generators of
 * clients. {@code OpenApi} is the entry. What is the same in all documents lies in {@code parts.json}, in Kubernetes' own words (Apache
 * License 2.0). Pure, any thread.
 */
@NullMarked
package io.watershed.gateway.openapi;

import org.jspecify.annotations.NullMarked;
