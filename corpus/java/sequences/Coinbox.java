/** A vending machine that forgets to take back its permission when money is returned (Kung, Buy and others). */
public class Coinbox {
    private int totalQtrs = 0;
    private int curQtrs = 0;
    private boolean allowVend = false;

    void addQtr() {
        curQtrs = curQtrs + 1;
        if (curQtrs > 1) {
            allowVend = true;
        }
    }

    void returnQtrs() {
        curQtrs = 0;
    }

    /** Whether a drink was given for nothing. */
    boolean vend() {
        if (allowVend) {
            boolean isFree = curQtrs == 0;
            totalQtrs = totalQtrs + curQtrs;
            curQtrs = 0;
            allowVend = false;
            if (isFree) {
                return true;
            }
        }
        return false;
    }
}
