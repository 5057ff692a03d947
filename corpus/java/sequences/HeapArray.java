/** The largest number is the first. */
public class HeapArray {
    private int[] elements = new int[8];
    private int size;

    boolean insert(int value) {
        if (size == elements.length) {
            return false;
        }
        elements[size] = value;
        int at = size;
        size++;
        while (at > 0) {
            int above = (at - 1) / 2;
            if (elements[above] >= elements[at]) {
                return true;
            }
            int other = elements[above];
            elements[above] = elements[at];
            elements[at] = other;
            at = above;
        }
        return true;
    }

    int extractMax() {
        if (size == 0) {
            return Integer.MIN_VALUE;
        }
        int most = elements[0];
        size--;
        elements[0] = elements[size];
        int at = 0;
        while (true) {
            int below = 2 * at + 1;
            if (below >= size) {
                return most;
            }
            if (below + 1 < size && elements[below + 1] > elements[below]) {
                below++;
            }
            if (elements[at] >= elements[below]) {
                return most;
            }
            int other = elements[at];
            elements[at] = elements[below];
            elements[below] = other;
            at = below;
        }
    }
}
