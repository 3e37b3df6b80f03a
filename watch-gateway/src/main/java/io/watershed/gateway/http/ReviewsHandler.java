package io.watershed.gateway.http;

import io.vertx.core.Vertx;
import io.watershed.gateway.access.Caller;
import io.watershed.gateway.api.Accept;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.SelfReview;
import io.watershed.gateway.review.Reviews;

/**
 * The self reviews, which are POSTed: the only requests whose bodies are read. They change nothing.
 *
 * <p><em>Threads:</em> one an event loop, confined to it.
 */
final class ReviewsHandler {
    /** How long a client may take to send some hundred bytes. */
    private static final long BODY_MILLIS = 10_000;

    private final Vertx vertx;
    private final Reviews reviews;

    ReviewsHandler(Vertx vertx, Reviews reviews) {
        this.vertx = vertx;
        this.reviews = reviews;
    }

    /** Nobody is asked who they are, so everybody is anonymous. */
    void answer(Exchange exchange, SelfReview review) throws ApiFailure {
        Accept.MediaType media = Accept.parse(exchange.accept()).choose(Accept.Offer.document(true));
        String contentType = exchange.request().getHeader("Content-Type");
        reviews.check(contentType);
        BodyReader.read(vertx, exchange, Reviews.MAX_BODY, BODY_MILLIS, body -> {
            try {
                exchange.created(media, reviews.answer(review, Caller.ANONYMOUS, contentType, body));
            } catch (ApiFailure e) {
                exchange.status(e.status());
            }
        });
    }
}
