package io.watershed.gateway.http;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.api.Accept;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.ContinueToken;
import io.watershed.gateway.api.ListOptions;
import io.watershed.gateway.api.Query;
import io.watershed.gateway.api.ScaleFields;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.CacheView;
import io.watershed.gateway.cache.Moment;
import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.gateway.cache.WatchCache;
import io.watershed.gateway.fanout.FanoutSettings;
import io.watershed.gateway.fanout.WatchTarget;
import io.watershed.gateway.represent.FieldPaths;
import io.watershed.gateway.represent.Representation;
import io.watershed.gateway.represent.Representations;
import io.watershed.gateway.represent.Transform;
import io.watershed.gateway.select.FieldLabels;
import io.watershed.gateway.select.FieldSelector;
import io.watershed.gateway.select.LabelSelector;
import io.watershed.gateway.select.SelectorSyntax;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * LIST, GET and WATCH: what a request is about, and which state it is to be answered from.
 *
 * <p><em>Threads:</em> one an event loop, confined to it.
 */
final class ObjectsHandler {
    /** Stands for what is common to the objects of several resources. */
    private static final ResourceType SEVERAL = new ResourceType(
            "meta.k8s.io", "v1", "PartialObjectMetadata", "several", "several", true, List.of(), List.of(), "several");

    private final Vertx vertx;
    private final Context context;
    private final WatchCache cache;
    private final RevisionWait revisions;
    private final WatchOpener watches;
    private final FanoutSettings.Undecodable undecodable;
    private final Catalogue catalogue;
    private final Representations representations;

    ObjectsHandler(
            Vertx vertx,
            WatchCache cache,
            RevisionWait revisions,
            WatchOpener watches,
            Catalogue catalogue,
            FanoutSettings.Undecodable undecodable,
            InstantSource clock) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.cache = cache;
        this.revisions = revisions;
        this.watches = watches;
        this.undecodable = undecodable;
        this.catalogue = catalogue;
        this.representations = new Representations(clock, catalogue::printer, catalogue::conversion);
    }

    void get(Exchange exchange, Accept.MediaType media, ResourceType type, @Nullable String namespace, String name)
            throws ApiFailure {
        Query query = Query.parse(exchange.request().query());
        Representation representation = representations
                .of(media.as(), exchange.syntax(media), type, false, false, query.text("includeObject"))
                .only(fields(query));
        get(exchange, query, representation, type, namespace, name, null);
    }

    /** An object as a Scale. */
    void scale(Exchange exchange, Accept.MediaType media, ResourceType type, @Nullable String namespace, String name)
            throws ApiFailure {
        Query query = Query.parse(exchange.request().query());
        ScaleFields fields = Objects.requireNonNull(catalogue.resources().scale(type), "its path says so");
        Representation representation = representations
                .scale(media.as(), exchange.syntax(media), type, fields, query.text("includeObject"))
                .only(fields(query));
        get(exchange, query, representation, type, namespace, name, fields);
    }

    private void get(
            Exchange exchange,
            Query query,
            Representation representation,
            ResourceType type,
            @Nullable String namespace,
            String name,
            @Nullable ScaleFields scale)
            throws ApiFailure {
        Long revision = ListOptions.resourceVersion(query.text("resourceVersion"));
        revisions.atLeast(exchange, revision == null ? 0 : revision, view -> {
            ObjectEntry object = view.resource(type.storedAs()).get(namespace, name);
            if (object == null || !Undecodables.isShown(object, undecodable)) {
                exchange.status(Status.notFound(type.group(), type.plural(), name));
            } else if (!Undecodables.isWhole(object)) {
                exchange.status(Undecodables.status(object));
            } else if (!catalogue.isServable(object, type)) {
                exchange.status(catalogue.notConverted(type));
            } else if (scale != null && !Representations.hasScale(object.json(), scale)) {
                exchange.status(
                        Status.internalError("the spec replicas field \"" + scale.replicas() + "\" does not exist"));
            } else {
                exchange.end(exchange.api(200), representation.contentType(), representation.object(object.json()));
            }
        });
    }

    void collection(
            Exchange exchange,
            Accept.MediaType media,
            ResourceType type,
            @Nullable String namespace,
            @Nullable String name,
            boolean forcedWatch)
            throws ApiFailure {
        Query query = Query.parse(exchange.request().query());
        ListOptions options = ListOptions.parse(query, forcedWatch);
        Representation representation = representations
                .of(media.as(), exchange.syntax(media), type, true, options.watch(), query.text("includeObject"))
                .only(fields(query));
        if (!catalogue.resources().storedElsewhere(type).isEmpty()) {
            throw new ApiFailure(catalogue.notConverted(type));
        }
        LabelSelector labels;
        FieldSelector fields;
        try {
            labels = LabelSelector.parse(options.labelSelector());
            fields = FieldSelector.parse(catalogue.fieldLabels(type), options.fieldSelector());
        } catch (SelectorSyntax e) {
            throw new ApiFailure(Status.badRequest(String.valueOf(e.getMessage())));
        }
        String pinnedName = fields.exact(FieldLabels.NAME);
        if (name != null && pinnedName != null && !pinnedName.equals(name)) {
            throw new ApiFailure(Status.badRequest("fieldSelector metadata.name doesn't match requested name"));
        }
        String pinned = fields.exact(FieldLabels.NAMESPACE);
        String scope =
                namespace == null && type.namespaced() && pinned != null && !pinned.isEmpty() ? pinned : namespace;
        if (options.watch()) {
            exchange.watchOver(WatchTransport.of(vertx, exchange, query));
            String only = name == null ? pinnedName : name;
            watches.watch(
                    exchange,
                    type,
                    new WatchTarget(
                            List.of(type.storedAs()),
                            scope,
                            only == null || only.isEmpty() ? null : only,
                            labels,
                            fields,
                            representation.transform(),
                            exchange.watch().framing()),
                    options,
                    forcedWatch);
        } else {
            list(exchange, representation, type, scope, labels, fields, options);
        }
    }

    /**
     * One watch over several resources, in one order of revisions. Objects come as the log holds them: in their resources' canonical
     * versions, and custom ones in the version that they are stored in.
     */
    void several(Exchange exchange, Accept.MediaType media, List<ResourceType> types) throws ApiFailure {
        Query query = Query.parse(exchange.request().query());
        ListOptions options = ListOptions.parseWatch(query);
        Representation representation = representations
                .of(media.as(), exchange.syntax(media), SEVERAL, true, true, query.text("includeObject"))
                .only(fields(query));
        LabelSelector labels;
        FieldSelector fields;
        try {
            labels = LabelSelector.parse(options.labelSelector());
            fields = FieldSelector.parse(FieldLabels.of(SEVERAL), options.fieldSelector());
        } catch (SelectorSyntax e) {
            throw new ApiFailure(Status.badRequest(String.valueOf(e.getMessage())));
        }
        exchange.watchOver(WatchTransport.of(vertx, exchange, query));
        WatchTarget target = new WatchTarget(
                types.stream().map(ResourceType::storedAs).toList(),
                pinned(fields.exact(FieldLabels.NAMESPACE)),
                pinned(fields.exact(FieldLabels.NAME)),
                labels,
                fields,
                representation.transform(),
                exchange.watch().framing());
        watches.watch(exchange, SEVERAL, target, options, false);
    }

    /** How whole objects of a type are shown. */
    Transform whole(ResourceType type) {
        return representations.whole(type);
    }

    private static @Nullable String pinned(@Nullable String exact) {
        return exact == null || exact.isEmpty() ? null : exact;
    }

    private static @Nullable FieldPaths fields(Query query) throws ApiFailure {
        return query.has("fields") ? FieldPaths.parse(query.text("fields")) : null;
    }

    private void list(
            Exchange exchange,
            Representation representation,
            ResourceType type,
            @Nullable String namespace,
            LabelSelector labels,
            FieldSelector fields,
            ListOptions options) {
        Long revision = options.resourceVersion();
        ContinueToken from = options.continueFrom();
        // A rule of Kubernetes: 0 means whatever is here, all of it.
        long limit = revision != null && revision == 0 ? 0 : options.limit();
        ListResponse.Selection selection =
                new ListResponse.Selection(type, namespace, labels, fields, limit, from == null ? null : from.after());
        Consumer<CacheView> send =
                view -> new ListResponse(exchange, context, view, selection, representation, undecodable).send();
        if (options.asOf() != null) {
            Moment then = cache.by(options.asOf());
            CacheView exact = then == null ? null : cache.at(then.revision());
            if (then == null || exact == null) {
                exchange.status(Status.asOfTooOld());
            } else {
                exchange.asOf(then);
                send.accept(exact);
            }
        } else if (from != null) {
            nextPage(exchange, from, send);
        } else if (revision == null || revision == 0) {
            send.accept(cache.view());
        } else if (ListOptions.EXACT.equals(options.match()) || (options.match() == null && limit > 0)) {
            revisions.atLeast(exchange, revision, now -> {
                CacheView exact = cache.at(revision);
                if (exact == null) {
                    exchange.status(Status.listTooOld());
                } else {
                    send.accept(exact);
                }
            });
        } else {
            revisions.atLeast(exchange, revision, send);
        }
    }

    private void nextPage(Exchange exchange, ContinueToken from, Consumer<CacheView> send) {
        if (from.resourceVersion() < 0) {
            send.accept(cache.view());
            return;
        }
        // Another gateway may have handed it out, which was ahead of this one.
        revisions.atLeast(exchange, from.resourceVersion(), now -> {
            CacheView pages = cache.at(from.resourceVersion());
            if (pages == null) {
                exchange.status(Status.continueExpired(new ContinueToken(-1, from.after()).text()));
            } else {
                send.accept(pages);
            }
        });
    }
}
