/** A stack of numbers that grows. */
public class IntStack {
    private int[] store = new int[2];
    private int size = 0;

    void push(int value) {
        if (store.length == size) {
            int[] bigger = new int[2 * size];
            System.arraycopy(store, 0, bigger, 0, size);
            store = bigger;
        }
        store[size] = value;
        size++;
    }

    int pop() {
        if (size == 0) {
            throw new RuntimeException();
        }
        size--;
        return store[size];
    }

    boolean isSorted() {
        for (int i = 1; i < size; i++) {
            if (store[i - 1] > store[i]) {
                return false;
            }
        }
        return true;
    }
}
