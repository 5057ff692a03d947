/** A list of numbers around a node of its own. */
public class LinkedList {
    static class Entry {
        private int element;
        private Entry next;
        private Entry previous;
    }

    private final Entry header = new Entry();
    private int size = 0;

    public LinkedList() {
        header.next = header;
        header.previous = header;
    }

    boolean add(int value) {
        addBefore(value, header);
        return true;
    }

    boolean remove(int value) {
        for (Entry at = header.next; at != header; at = at.next) {
            if (at.element == value) {
                unlink(at);
                return true;
            }
        }
        return false;
    }

    int removeLast() {
        if (size == 0) {
            throw new IllegalStateException();
        }
        int last = header.previous.element;
        unlink(header.previous);
        return last;
    }

    private void addBefore(int value, Entry at) {
        Entry made = new Entry();
        made.element = value;
        made.next = at;
        made.previous = at.previous;
        made.previous.next = made;
        made.next.previous = made;
        size++;
    }

    private void unlink(Entry at) {
        if (at == header) {
            throw new IllegalArgumentException();
        }
        at.previous.next = at.next;
        at.next.previous = at.previous;
        size--;
    }
}
