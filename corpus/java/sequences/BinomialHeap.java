/** A binomial heap (Cormen et al.), as JTestCraft's subjects have one: trees of 1, 2, 4, … nodes, smallest keys on top. */
public class BinomialHeap {
    static class Node {
        final int key;
        int degree;
        Node parent, child, sibling;

        Node(int key) {
            this.key = key;
        }
    }

    private Node head;
    private int size;

    public int size() {
        return size;
    }

    public void insert(int key) {
        head = union(head, new Node(key));
        size++;
    }

    /** The smallest key. */
    public int findMin() {
        if (head == null) throw new IllegalStateException("empty");
        return smallest().key;
    }

    public int extractMin() {
        if (head == null) throw new IllegalStateException("empty");
        Node min = smallest();
        remove(min);
        return min.key;
    }

    /** Takes one node with this key away. */
    public boolean delete(int key) {
        Node found = find(head, key);
        if (found == null) return false;
        int[] keys = new int[size];
        int kept = 0;
        boolean isGone = false;
        while (head != null) {
            int next = extractMin();
            if (next == key && !isGone) isGone = true;
            else keys[kept++] = next;
        }
        for (int i = 0; i < kept; i++) insert(keys[i]);
        return true;
    }

    private Node find(Node from, int key) {
        for (Node at = from; at != null; at = at.sibling) {
            if (at.key == key) return at;
            if (at.key < key && at.child != null) {
                Node below = find(at.child, key);
                if (below != null) return below;
            }
        }
        return null;
    }

    private Node smallest() {
        Node min = head;
        for (Node at = head.sibling; at != null; at = at.sibling)
            if (at.key < min.key) min = at;
        return min;
    }

    /** A root leaves; its children become roots. */
    private void remove(Node root) {
        if (head == root) {
            head = root.sibling;
        } else {
            Node before = head;
            while (before.sibling != root) before = before.sibling;
            before.sibling = root.sibling;
        }
        Node turned = null;
        for (Node child = root.child; child != null; ) {
            Node next = child.sibling;
            child.sibling = turned;
            child.parent = null;
            turned = child;
            child = next;
        }
        head = union(head, turned);
        size--;
    }

    /** Roots of both by degree. */
    private static Node merge(Node one, Node other) {
        if (one == null) return other;
        if (other == null) return one;
        Node first;
        if (one.degree <= other.degree) {
            first = one;
            one = one.sibling;
        } else {
            first = other;
            other = other.sibling;
        }
        Node last = first;
        while (one != null && other != null) {
            if (one.degree <= other.degree) {
                last.sibling = one;
                one = one.sibling;
            } else {
                last.sibling = other;
                other = other.sibling;
            }
            last = last.sibling;
        }
        last.sibling = one != null ? one : other;
        return first;
    }

    private static void link(Node below, Node above) {
        below.parent = above;
        below.sibling = above.child;
        above.child = below;
        above.degree++;
    }

    /** At most one tree of each degree is left. */
    private static Node union(Node one, Node other) {
        Node first = merge(one, other);
        if (first == null) return null;
        Node before = null;
        Node at = first;
        Node next = at.sibling;
        while (next != null) {
            boolean areThree = next.sibling != null && next.sibling.degree == at.degree;
            if (at.degree != next.degree || areThree) {
                before = at;
                at = next;
            } else if (at.key <= next.key) {
                at.sibling = next.sibling;
                link(next, at);
            } else {
                if (before == null) first = next;
                else before.sibling = next;
                link(at, next);
                at = next;
            }
            next = at.sibling;
        }
        return first;
    }
}
