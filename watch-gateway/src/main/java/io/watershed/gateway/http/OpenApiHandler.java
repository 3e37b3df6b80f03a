package io.watershed.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.watershed.gateway.api.Accept;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.Query;
import io.watershed.gateway.api.Resources;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.openapi.OpenApi;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * {@code /openapi/v3}: an index, and a document for each group and version, which never changes under its hash. Version 2 is not served.
 *
 * <p><em>Threads:</em> one an event loop, confined to it. Documents are made by worker threads.
 */
final class OpenApiHandler {
    private static final String ROOT = "/openapi/v3";
    private static final String DOCUMENTS = ROOT + "/apis/";
    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);
    private static final int YEARS_UNCHANGED = 1;

    private final Vertx vertx;
    private final OpenApi openApi;
    private final Catalogue catalogue;
    private final InstantSource clock;

    OpenApiHandler(Vertx vertx, OpenApi openApi, Catalogue catalogue, InstantSource clock) {
        this.vertx = vertx;
        this.openApi = openApi;
        this.catalogue = catalogue;
        this.clock = clock;
    }

    void answer(Exchange exchange, String path) throws ApiFailure {
        Resources resources = catalogue.resources();
        if (path.equals(ROOT)) {
            // Kubernetes lets the type be guessed, and this is what comes out.
            make(
                    exchange,
                    () -> openApi.index(resources),
                    index -> exchange.end(exchange.api(200), "text/plain; charset=utf-8", index.getBytes(UTF_8)));
        } else if (path.startsWith(DOCUMENTS)) {
            requireJson(exchange);
            String groupVersion = path.substring(DOCUMENTS.length());
            String hash = Query.parse(exchange.request().query()).text("hash");
            make(
                    exchange,
                    () -> openApi.document(resources, groupVersion),
                    document -> send(exchange, groupVersion, hash, document));
        } else {
            requireJson(exchange);
            exchange.text(404, "404 page not found\n");
        }
    }

    /** Clients of protobuf are told to ask for JSON, or that there is no more to be had. */
    private static void requireJson(Exchange exchange) throws ApiFailure {
        Accept.MediaType media = Accept.parse(exchange.accept()).plain();
        if (media == null || media.format() != Accept.Format.JSON) {
            throw new ApiFailure(
                    Status.notAcceptable("only the following media types are accepted: application/json", false));
        }
    }

    private <T> void make(Exchange exchange, Callable<T> work, Consumer<T> then) {
        vertx.executeBlocking(work, false).onComplete(made -> {
            if (made.failed()) {
                exchange.failed(new IllegalStateException("OpenAPI documents can't be made", made.cause()));
            } else {
                then.accept(made.result());
            }
        });
    }

    private void send(Exchange exchange, String groupVersion, String hash, OpenApi.@Nullable Document document) {
        if (document == null) {
            exchange.text(404, "404 page not found\n");
            return;
        }
        String tag = "\"" + document.hash() + "\"";
        HttpServerResponse response = exchange.api(200).putHeader("ETag", tag).putHeader("Vary", "Accept");
        if (!hash.isEmpty() && !hash.equals(document.hash())) {
            response.setStatusCode(301).putHeader("Location", OpenApi.url(groupVersion, document.hash()));
            exchange.end(response, "text/plain; charset=utf-8", new byte[0]);
            return;
        }
        if (!hash.isEmpty()) {
            response.putHeader("Cache-Control", "public, immutable")
                    .putHeader(
                            "Expires",
                            HTTP_DATE.format(
                                    clock.instant().atOffset(ZoneOffset.UTC).plusYears(YEARS_UNCHANGED)));
        }
        if (tag.equals(exchange.request().getHeader("If-None-Match"))) {
            response.setStatusCode(304).end();
        } else {
            exchange.end(response, "application/json", document.json().getBytes(UTF_8));
        }
    }
}
