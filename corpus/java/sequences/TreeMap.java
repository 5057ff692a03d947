/** A red-black tree with the names of java.util's, as JTestCraft's subjects have one. */
public class TreeMap {
    private static final boolean RED = false;
    private static final boolean BLACK = true;

    static class Entry {
        int key;
        int value;
        Entry left, right, parent;
        boolean color = BLACK;

        Entry(int key, int value, Entry parent) {
            this.key = key;
            this.value = value;
            this.parent = parent;
        }
    }

    private Entry root;
    private int size;

    public int size() {
        return size;
    }

    public boolean put(int key, int value) {
        if (root == null) {
            root = new Entry(key, value, null);
            size = 1;
            return true;
        }
        Entry at = root;
        while (true) {
            if (key == at.key) {
                at.value = value;
                return false;
            }
            Entry next = key < at.key ? at.left : at.right;
            if (next == null) break;
            at = next;
        }
        Entry made = new Entry(key, value, at);
        if (key < at.key) at.left = made;
        else at.right = made;
        fixAfterInsertion(made);
        size++;
        return true;
    }

    public boolean remove(int key) {
        Entry at = root;
        while (at != null && at.key != key) at = key < at.key ? at.left : at.right;
        if (at == null) return false;
        deleteEntry(at);
        return true;
    }

    private static boolean colorOf(Entry entry) {
        return entry == null ? BLACK : entry.color;
    }

    private static Entry parentOf(Entry entry) {
        return entry == null ? null : entry.parent;
    }

    private static void setColor(Entry entry, boolean color) {
        if (entry != null) entry.color = color;
    }

    private static Entry leftOf(Entry entry) {
        return entry == null ? null : entry.left;
    }

    private static Entry rightOf(Entry entry) {
        return entry == null ? null : entry.right;
    }

    private void rotateLeft(Entry entry) {
        if (entry == null) return;
        Entry right = entry.right;
        entry.right = right.left;
        if (right.left != null) right.left.parent = entry;
        right.parent = entry.parent;
        if (entry.parent == null) root = right;
        else if (entry.parent.left == entry) entry.parent.left = right;
        else entry.parent.right = right;
        right.left = entry;
        entry.parent = right;
    }

    private void rotateRight(Entry entry) {
        if (entry == null) return;
        Entry left = entry.left;
        entry.left = left.right;
        if (left.right != null) left.right.parent = entry;
        left.parent = entry.parent;
        if (entry.parent == null) root = left;
        else if (entry.parent.right == entry) entry.parent.right = left;
        else entry.parent.left = left;
        left.right = entry;
        entry.parent = left;
    }

    private void fixAfterInsertion(Entry entry) {
        entry.color = RED;
        while (entry != null && entry != root && entry.parent.color == RED) {
            if (parentOf(entry) == leftOf(parentOf(parentOf(entry)))) {
                Entry uncle = rightOf(parentOf(parentOf(entry)));
                if (colorOf(uncle) == RED) {
                    setColor(parentOf(entry), BLACK);
                    setColor(uncle, BLACK);
                    setColor(parentOf(parentOf(entry)), RED);
                    entry = parentOf(parentOf(entry));
                } else {
                    if (entry == rightOf(parentOf(entry))) {
                        entry = parentOf(entry);
                        rotateLeft(entry);
                    }
                    setColor(parentOf(entry), BLACK);
                    setColor(parentOf(parentOf(entry)), RED);
                    rotateRight(parentOf(parentOf(entry)));
                }
            } else {
                Entry uncle = leftOf(parentOf(parentOf(entry)));
                if (colorOf(uncle) == RED) {
                    setColor(parentOf(entry), BLACK);
                    setColor(uncle, BLACK);
                    setColor(parentOf(parentOf(entry)), RED);
                    entry = parentOf(parentOf(entry));
                } else {
                    if (entry == leftOf(parentOf(entry))) {
                        entry = parentOf(entry);
                        rotateRight(entry);
                    }
                    setColor(parentOf(entry), BLACK);
                    setColor(parentOf(parentOf(entry)), RED);
                    rotateLeft(parentOf(parentOf(entry)));
                }
            }
        }
        root.color = BLACK;
    }

    private void deleteEntry(Entry entry) {
        size--;
        if (entry.left != null && entry.right != null) {
            Entry next = entry.right;
            while (next.left != null) next = next.left;
            entry.key = next.key;
            entry.value = next.value;
            entry = next;
        }
        Entry other = entry.left != null ? entry.left : entry.right;
        if (other != null) {
            other.parent = entry.parent;
            if (entry.parent == null) root = other;
            else if (entry == entry.parent.left) entry.parent.left = other;
            else entry.parent.right = other;
            entry.left = entry.right = entry.parent = null;
            if (entry.color == BLACK) fixAfterDeletion(other);
        } else if (entry.parent == null) {
            root = null;
        } else {
            if (entry.color == BLACK) fixAfterDeletion(entry);
            if (entry.parent != null) {
                if (entry == entry.parent.left) entry.parent.left = null;
                else if (entry == entry.parent.right) entry.parent.right = null;
                entry.parent = null;
            }
        }
    }

    private void fixAfterDeletion(Entry entry) {
        while (entry != root && colorOf(entry) == BLACK) {
            if (entry == leftOf(parentOf(entry))) {
                Entry sibling = rightOf(parentOf(entry));
                if (colorOf(sibling) == RED) {
                    setColor(sibling, BLACK);
                    setColor(parentOf(entry), RED);
                    rotateLeft(parentOf(entry));
                    sibling = rightOf(parentOf(entry));
                }
                if (colorOf(leftOf(sibling)) == BLACK && colorOf(rightOf(sibling)) == BLACK) {
                    setColor(sibling, RED);
                    entry = parentOf(entry);
                } else {
                    if (colorOf(rightOf(sibling)) == BLACK) {
                        setColor(leftOf(sibling), BLACK);
                        setColor(sibling, RED);
                        rotateRight(sibling);
                        sibling = rightOf(parentOf(entry));
                    }
                    setColor(sibling, colorOf(parentOf(entry)));
                    setColor(parentOf(entry), BLACK);
                    setColor(rightOf(sibling), BLACK);
                    rotateLeft(parentOf(entry));
                    entry = root;
                }
            } else {
                Entry sibling = leftOf(parentOf(entry));
                if (colorOf(sibling) == RED) {
                    setColor(sibling, BLACK);
                    setColor(parentOf(entry), RED);
                    rotateRight(parentOf(entry));
                    sibling = leftOf(parentOf(entry));
                }
                if (colorOf(rightOf(sibling)) == BLACK && colorOf(leftOf(sibling)) == BLACK) {
                    setColor(sibling, RED);
                    entry = parentOf(entry);
                } else {
                    if (colorOf(leftOf(sibling)) == BLACK) {
                        setColor(rightOf(sibling), BLACK);
                        setColor(sibling, RED);
                        rotateLeft(sibling);
                        sibling = leftOf(parentOf(entry));
                    }
                    setColor(sibling, colorOf(parentOf(entry)));
                    setColor(parentOf(entry), BLACK);
                    setColor(leftOf(sibling), BLACK);
                    rotateRight(parentOf(entry));
                    entry = root;
                }
            }
        }
        setColor(entry, BLACK);
    }
}
