/** A search tree without balance. */
public class BinSearchTree {
    static class Node {
        private int value;
        private Node left;
        private Node right;
    }

    private Node root;
    private int size;

    boolean insert(int value) {
        if (root == null) {
            root = new Node();
            root.value = value;
            size++;
            return true;
        }
        Node at = root;
        while (at.value != value) {
            if (value < at.value) {
                if (at.left == null) {
                    at.left = new Node();
                    at.left.value = value;
                    size++;
                    return true;
                }
                at = at.left;
            } else {
                if (at.right == null) {
                    at.right = new Node();
                    at.right.value = value;
                    size++;
                    return true;
                }
                at = at.right;
            }
        }
        return false;
    }

    boolean remove(int value) {
        Node parent = null;
        Node at = root;
        while (at != null && at.value != value) {
            parent = at;
            at = value < at.value ? at.left : at.right;
        }
        if (at == null) {
            return false;
        }
        Node rest;
        if (at.left == null) {
            rest = at.right;
        } else if (at.right == null) {
            rest = at.left;
        } else {
            rest = at.left;
            Node last = rest;
            while (last.right != null) {
                last = last.right;
            }
            last.right = at.right;
        }
        if (parent == null) {
            root = rest;
        } else if (parent.left == at) {
            parent.left = rest;
        } else {
            parent.right = rest;
        }
        size--;
        return true;
    }
}
