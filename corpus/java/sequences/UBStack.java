/** A stack of numbers that holds no number twice. */
public class UBStack {
    private int[] elements = new int[3];
    private int size = 0;

    void push(int value) {
        int found = -1;
        for (int i = 0; i < size; i++) {
            if (elements[i] == value) {
                found = i;
            }
        }
        if (found >= 0) {
            for (int i = found; i < size - 1; i++) {
                elements[i] = elements[i + 1];
            }
            elements[size - 1] = value;
            return;
        }
        if (size == elements.length) {
            return;
        }
        elements[size] = value;
        size++;
    }

    void pop() {
        if (size > 0) {
            size--;
        }
    }

    boolean isMember(int value) {
        for (int i = 0; i < size; i++) {
            if (elements[i] == value) {
                return true;
            }
        }
        return false;
    }
}
