/** Opens after six turns in the right order, and not before. */
public class Safe {
    private int turns;
    private int noise;

    void left() {
        turns = turns % 2 == 0 ? turns + 1 : 0;
    }

    void right() {
        turns = turns % 2 == 1 ? turns + 1 : 0;
    }

    void knock() {
        noise++;
    }

    boolean open() {
        if (turns == 6) {
            return true;
        }
        return false;
    }
}
