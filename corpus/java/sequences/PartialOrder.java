/** Setters in any order: six sequences, of which one is enough. */
public class PartialOrder {
    private boolean a;
    private boolean b;
    private boolean c;

    void setA(boolean a) {
        this.a = a;
    }

    void setB(boolean b) {
        this.b = b;
    }

    void setC(boolean c) {
        this.c = c;
    }

    int calculate() {
        if (a && b && c) {
            return 1;
        }
        return 0;
    }
}
