package io.watershed.gateway.represent;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.api.Resources;
import io.watershed.log.codec.ObjectJson;
import org.jspecify.annotations.Nullable;

/**
 * What is shown of objects, in JSON. Equal ones make the same bytes at the same time, so that watches share frames. Objects begin with
 * the log's fixed prefix.
 *
 * <p><em>Threads:</em> immutable.
 */
public sealed interface Transform permits Transform.Whole, Transform.Metadata, TableTransform {
    /** One object, as GET shows it: compact JSON without a line feed. */
    byte[] object(byte[] json);

    /** One object, as it stands in an event of a watch. */
    byte[] event(byte[] json);

    /** The object of a bookmark. {@code json}: kind, apiVersion, and metadata with the revision. */
    default byte[] bookmark(byte[] json, boolean endOfInitialEvents) {
        return event(json);
    }

    /**
     * What the first event of a connection says in place of {@link TableTransform#NO_COLUMNS}; null if first events are as all.
     */
    default byte @Nullable [] columns() {
        return null;
    }

    /** How lists of it are put together. */
    ListForm listForm();

    /** Writes one item of a list. */
    void item(byte[] json, Sink out);

    /**
     * The frame of a list.
     *
     * @param members further members, {@code ,"name":value}
     * @param items name of the member that holds the items
     * @param emptyToken whether the list says that there is no next page
     */
    record ListForm(String kind, String apiVersion, String members, String items, boolean emptyToken) {}

    /** Whole objects. Items of built-in kinds leave out kind and apiVersion, as kube-apiserver does. */
    record Whole(ResourceType type, Conversion conversion) implements Transform {
        /** Whether an object is shown in the very bytes that the log holds. */
        public boolean isAsStored(byte[] json) {
            return conversion.keeps(json);
        }

        @Override
        public byte[] object(byte[] json) {
            return conversion.convert(json);
        }

        @Override
        public byte[] event(byte[] json) {
            return conversion.convert(json);
        }

        /** Made in the version that is asked for. */
        @Override
        public byte[] bookmark(byte[] json, boolean endOfInitialEvents) {
            return json;
        }

        @Override
        public ListForm listForm() {
            return new ListForm(type.listKind(), type.apiVersion(), "", "items", !Resources.hasTypedItems(type));
        }

        @Override
        public void item(byte[] stored, Sink out) {
            byte[] json = conversion.convert(stored);
            if (Resources.hasTypedItems(type)) {
                int start = ObjectJson.of(json).metadataStart();
                out.write(json, 0, 1);
                out.write(json, start, json.length - start);
            } else {
                out.write(json);
            }
        }
    }

    /**
     * Objects without anything but their metadata.
     *
     * @param apiVersion {@code meta.k8s.io/v1} or {@code meta.k8s.io/v1beta1}
     * @param conversion what is done to what is left
     */
    record Metadata(String apiVersion, Conversion conversion) implements Transform {
        private static final String DAEMON_SETS = "daemonsets.apps";

        /** That of objects of a type. */
        static Metadata of(ResourceType type, String apiVersion) {
            boolean daemons = type.resource().equals(DAEMON_SETS);
            return new Metadata(apiVersion, daemons ? TemplateGeneration.LEFT_OUT : Conversion.NONE);
        }

        @Override
        public byte[] object(byte[] json) {
            ObjectJson parts = ObjectJson.of(json);
            int start = parts.metadataStart();
            int end = Metadata.end(json, parts.revisionEnd());
            byte[] head = head();
            byte[] cut = new byte[head.length + end - start + 1];
            System.arraycopy(head, 0, cut, 0, head.length);
            System.arraycopy(json, start, cut, head.length, end - start);
            cut[cut.length - 1] = '}';
            return conversion.convert(cut);
        }

        private byte[] head() {
            return ("{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"" + apiVersion + "\",").getBytes(UTF_8);
        }

        @Override
        public byte[] event(byte[] json) {
            return object(json);
        }

        @Override
        public ListForm listForm() {
            return new ListForm("PartialObjectMetadataList", apiVersion, "", "items", false);
        }

        @Override
        public void item(byte[] json, Sink out) {
            out.write(object(json));
        }

        /**
         * Offset behind the brace that closes metadata.
         *
         * @param at behind the digits of the revision, which are the first thing in it
         */
        private static int end(byte[] json, int at) {
            int depth = 1;
            boolean quoted = true;
            for (int i = at; i < json.length; i++) {
                byte b = json[i];
                if (quoted) {
                    if (b == '\\') {
                        i++;
                    } else if (b == '"') {
                        quoted = false;
                    }
                } else if (b == '"') {
                    quoted = true;
                } else if (b == '{') {
                    depth++;
                } else if (b == '}' && --depth == 0) {
                    return i + 1;
                }
            }
            throw new IllegalArgumentException("value ends inside its metadata");
        }
    }
}
