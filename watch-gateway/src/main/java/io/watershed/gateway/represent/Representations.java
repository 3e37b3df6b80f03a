package io.watershed.gateway.represent;

import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.api.Accept;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.Resources;
import io.watershed.gateway.api.ScaleFields;
import io.watershed.gateway.api.Status;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes representations of what clients accept.
 *
 * <p><em>Threads:</em> any, if the printers may be asked for by any.
 */
public final class Representations {
    private final InstantSource clock;
    private final Function<ResourceType, Printer> customPrinters;
    private final Function<ResourceType, Conversion> customConversions;

    /**
     * @param clock what ages are counted by
     * @param customPrinters the printer of a resource that is not built in, {@link CustomPrinters} or {@link #nameAndAge}
     * @param customConversions how its stored objects become those of the type's version
     */
    public Representations(
            InstantSource clock,
            Function<ResourceType, Printer> customPrinters,
            Function<ResourceType, Conversion> customConversions) {
        this.clock = clock;
        this.customPrinters = customPrinters;
        this.customConversions = customConversions;
    }

    /** Name and age: of documents, and of custom resources without a definition. */
    public static Printer nameAndAge() {
        return BuiltInPrinters.NAME_AND_AGE;
    }

    /**
     * What a request is to be answered with.
     *
     * @param as what objects are to be made into; null for what they are
     * @param collection whether it asks for a list; a watch takes the form of one object and of a list for the same
     * @param includeObject as given; empty for the default
     * @throws ApiFailure 406 for one object as a list or the other way round, 400 for an unknown includeObject
     */
    public Representation of(
            Accept.@Nullable Conversion as,
            Syntax syntax,
            ResourceType type,
            boolean collection,
            boolean watch,
            String includeObject)
            throws ApiFailure {
        if (as == null) {
            return new Representation(whole(type), syntax);
        }
        if (as.kind().equals("Table")) {
            return new Representation(
                    new TableTransform(
                            Transform.Metadata.of(type, as.apiVersion()),
                            printer(type),
                            include(includeObject),
                            clock,
                            conversion(type)),
                    syntax);
        }
        boolean list = as.kind().endsWith("List");
        if (!watch && list != collection) {
            throw new ApiFailure(Status.notAcceptable(
                    "you requested " + as.kind() + ", but the requested object is " + (collection ? "a" : "not a")
                            + " list (" + goType(type, collection) + ")",
                    false));
        }
        return new Representation(Transform.Metadata.of(type, as.apiVersion()), syntax);
    }

    /**
     * What a request for the Scale of an object is to be answered with.
     *
     * @param as null or a Table
     */
    public Representation scale(
            Accept.@Nullable Conversion as, Syntax syntax, ResourceType type, ScaleFields fields, String includeObject)
            throws ApiFailure {
        Conversion scale = new ScaleConversion(fields);
        return new Representation(
                as == null
                        ? new Transform.Whole(type, scale)
                        : new TableTransform(
                                new Transform.Metadata(as.apiVersion(), Conversion.NONE),
                                Objects.requireNonNull(BuiltInPrinters.of(BuiltInPrinters.SCALE)),
                                include(includeObject),
                                clock,
                                scale),
                syntax);
    }

    /** Whether an object has a Scale. */
    public static boolean hasScale(byte[] json, ScaleFields fields) {
        return ScaleConversion.isIn(json, fields);
    }

    /** Whole objects of a type. */
    public Transform whole(ResourceType type) {
        return new Transform.Whole(type, conversion(type));
    }

    private Conversion conversion(ResourceType type) {
        if (Resources.hasTypedItems(type)) {
            return type.storedAs().equals(type.resource()) ? Conversion.NONE : GroupEvents.INSTANCE;
        }
        return customConversions.apply(type);
    }

    private Printer printer(ResourceType type) {
        Printer own = BuiltInPrinters.of(type.resource());
        if (own != null) {
            return own;
        }
        return Resources.hasTypedItems(type) ? BuiltInPrinters.DEFAULT : customPrinters.apply(type);
    }

    private static TableTransform.IncludeObject include(String given) throws ApiFailure {
        return switch (given) {
            case "", "Metadata" -> TableTransform.IncludeObject.METADATA;
            case "Object" -> TableTransform.IncludeObject.OBJECT;
            case "None" -> TableTransform.IncludeObject.NONE;
            default ->
                throw new ApiFailure(
                        Status.badRequest("Unable to convert to Table as requested: includeObject: Invalid value: "
                                + GoJson.quoted(given) + ": must be 'Metadata', 'Object', 'None', or empty"));
        };
    }

    /** kube-apiserver's own name of the type, which it says in this one message. */
    private static String goType(ResourceType type, boolean collection) {
        if (!Resources.hasTypedItems(type)) {
            return collection ? "*unstructured.UnstructuredList" : "*unstructured.Unstructured";
        }
        String group = type.group();
        String goPackage =
                group.isEmpty() ? "core" : group.contains(".") ? group.substring(0, group.indexOf('.')) : group;
        return "*" + goPackage + "." + type.kind() + (collection ? "List" : "");
    }
}
