package io.watershed.gateway.cache;

import io.watershed.log.EtcdKey;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A persistent ordered map from keys to objects: a B+tree whose nodes are copied on write. A map that was frozen never changes; an editor
 * copies a node once and then writes to its copy, so that a batch of changes costs one path each at the most.
 *
 * <p>Invariants. INV-1: keys ascend within a node and over all leaves. INV-2: {@code keys[i]} of an inner node is not above any key of
 * child i and above every key of child i−1; the first one is never looked at. INV-3: no node but an empty root is empty. INV-4: a node
 * without the editor's token belongs to a frozen map and is not written to. Nodes are not merged when they shrink: images only lose
 * single objects, and a namespace that is deleted empties whole nodes.
 *
 * <p><em>Threads:</em> a frozen map any; an editor its owner.
 */
final class ImageMap<V> {
    private static final int FANOUT = 64;
    private static final ImageMap<?> EMPTY = new ImageMap<>(new Node(null, true, 0), 0);

    /** A leaf's slots are values, an inner node's are nodes. */
    private static final class Node {
        private final @Nullable Object owner;
        private final boolean leaf;
        private int count;
        private EtcdKey[] keys;
        private Object[] slots;

        Node(@Nullable Object owner, boolean leaf, int capacity) {
            this.owner = owner;
            this.leaf = leaf;
            this.keys = new EtcdKey[capacity];
            this.slots = new Object[capacity];
        }

        Node writable(Object token) {
            if (owner == token) {
                return this;
            }
            Node copy = new Node(token, leaf, 0);
            copy.count = count;
            copy.keys = Arrays.copyOf(keys, Math.min(FANOUT, Math.max(count + 4, 8)));
            copy.slots = Arrays.copyOf(slots, copy.keys.length);
            return copy;
        }

        /** Index of the key, or −(place to insert) − 1. */
        int find(EtcdKey key) {
            return Arrays.binarySearch(keys, 0, count, key);
        }

        /** Index of the child that the key belongs to. */
        int child(EtcdKey key) {
            int low = 1;
            int high = count;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (keys[middle].compareTo(key) <= 0) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low - 1;
        }

        Node childAt(int index) {
            return (Node) slots[index];
        }

        void insert(int at, EtcdKey key, Object slot) {
            if (count == keys.length) {
                keys = Arrays.copyOf(keys, Math.min(FANOUT, Math.max(8, count * 2)));
                slots = Arrays.copyOf(slots, keys.length);
            }
            System.arraycopy(keys, at, keys, at + 1, count - at);
            System.arraycopy(slots, at, slots, at + 1, count - at);
            keys[at] = key;
            slots[at] = slot;
            count++;
        }

        void delete(int at) {
            System.arraycopy(keys, at + 1, keys, at, count - at - 1);
            System.arraycopy(slots, at + 1, slots, at, count - at - 1);
            count--;
            clear(count);
        }

        @SuppressWarnings("NullAway") // behind the count nothing is looked at
        private void clear(int from) {
            Arrays.fill(keys, from, keys.length, null);
            Arrays.fill(slots, from, slots.length, null);
        }

        /** Moves the upper part into a new node. A node that was appended to keeps all but one: lists arrive in order. */
        Node split(Object token, boolean appended) {
            int keep = appended ? count - 1 : count / 2;
            Node right = new Node(token, leaf, FANOUT);
            right.count = count - keep;
            System.arraycopy(keys, keep, right.keys, 0, right.count);
            System.arraycopy(slots, keep, right.slots, 0, right.count);
            count = keep;
            clear(keep);
            return right;
        }
    }

    private final Node root;
    private final int size;

    private ImageMap(Node root, int size) {
        this.root = root;
        this.size = size;
    }

    @SuppressWarnings("unchecked") // it holds nothing
    static <V> ImageMap<V> empty() {
        return (ImageMap<V>) EMPTY;
    }

    int size() {
        return size;
    }

    @SuppressWarnings("unchecked") // a leaf's slots are values
    @Nullable
    V get(EtcdKey key) {
        return (V) find(root, key);
    }

    private static @Nullable Object find(Node root, EtcdKey key) {
        Node node = root;
        while (!node.leaf) {
            node = node.childAt(node.child(key));
        }
        int at = node.find(key);
        return at < 0 ? null : node.slots[at];
    }

    /** Walks the values in order, from the first key that is not below {@code start}; null starts at the first. */
    Iterator<V> from(@Nullable EtcdKey start) {
        return new Walk<>(root, start);
    }

    Editor<V> edit() {
        return new Editor<>(root, size);
    }

    /** Changes a map; {@link #freeze()} as often as wanted. */
    static final class Editor<V> {
        private Object token = new Object();
        private Node root;
        private int size;

        private Editor(Node root, int size) {
            this.root = root;
            this.size = size;
        }

        @SuppressWarnings("unchecked") // a leaf's slots are values
        @Nullable
        V get(EtcdKey key) {
            return (V) find(root, key);
        }

        int size() {
            return size;
        }

        void put(EtcdKey key, V value) {
            root = root.writable(token);
            Node right = put(root, key, value);
            if (right != null) {
                Node above = new Node(token, false, 8);
                above.insert(0, root.keys[0], root);
                above.insert(1, right.keys[0], right);
                root = above;
            }
        }

        /** Into a writable node. Returns the node that was split off, if any. */
        private @Nullable Node put(Node node, EtcdKey key, V value) {
            if (node.leaf) {
                int at = node.find(key);
                if (at >= 0) {
                    node.keys[at] = key;
                    node.slots[at] = value;
                    return null;
                }
                size++;
                return insert(node, -at - 1, key, value);
            }
            int index = node.child(key);
            Node child = node.childAt(index).writable(token);
            node.slots[index] = child;
            Node right = put(child, key, value);
            return right == null ? null : insert(node, index + 1, right.keys[0], right);
        }

        private @Nullable Node insert(Node node, int at, EtcdKey key, Object slot) {
            if (node.count < FANOUT) {
                node.insert(at, key, slot);
                return null;
            }
            Node right = node.split(token, at == node.count);
            if (at > node.count) {
                right.insert(at - node.count, key, slot);
            } else {
                node.insert(at, key, slot);
            }
            return right;
        }

        void remove(EtcdKey key) {
            if (find(root, key) == null) {
                return;
            }
            root = root.writable(token);
            remove(root, key);
            size--;
            if (root.count == 0) {
                root = new Node(token, true, 0);
            }
            while (!root.leaf && root.count == 1) {
                root = root.childAt(0);
            }
        }

        private void remove(Node node, EtcdKey key) {
            if (node.leaf) {
                node.delete(node.find(key));
                return;
            }
            int index = node.child(key);
            Node child = node.childAt(index).writable(token);
            node.slots[index] = child;
            remove(child, key);
            if (child.count == 0) {
                node.delete(index);
            }
        }

        /** The map as it is now. Costs nothing; what is changed afterwards is copied first. */
        ImageMap<V> freeze() {
            token = new Object();
            return new ImageMap<>(root, size);
        }
    }

    private static final class Walk<V> implements Iterator<V> {
        private static final int DEEPEST = 16;
        private final Node[] path = new Node[DEEPEST];
        private final int[] at = new int[DEEPEST];
        private int depth;

        Walk(Node root, @Nullable EtcdKey start) {
            Node node = root;
            while (true) {
                path[depth] = node;
                if (node.leaf) {
                    int found = start == null ? 0 : node.find(start);
                    at[depth] = found < 0 ? -found - 1 : found;
                    break;
                }
                at[depth] = start == null ? 0 : node.child(start);
                node = node.childAt(at[depth]);
                depth++;
            }
            skipEnded();
        }

        private void skipEnded() {
            int level = depth;
            while (level > 0 && at[level] == path[level].count) {
                level--;
                at[level]++;
            }
            while (level < depth && at[level] < path[level].count) {
                Node node = path[level].childAt(at[level]);
                level++;
                path[level] = node;
                at[level] = 0;
            }
        }

        @Override
        public boolean hasNext() {
            return at[depth] < path[depth].count && path[depth].leaf;
        }

        @Override
        @SuppressWarnings("unchecked") // a leaf's slots are values
        public V next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            V value = (V) path[depth].slots[at[depth]];
            at[depth]++;
            skipEnded();
            return value;
        }
    }
}
