/** JAUT's moveY: aliasing of references decides. */
public class Coord {
    private int x;
    private int y;

    public Coord(int x, int y) {
        this.x = x;
        this.y = y;
    }

    public int getY() {
        return y;
    }

    /** Moves this towards other by d, in the direction y. */
    public void moveY(Coord other, int d) {
        if (other == null) {
            throw new IllegalArgumentException("other");
        }
        y += d;
        if (other.y == y) {
            if (other == this) {
                x = 0;
            } else if (other.x == x) {
                throw new IllegalStateException("same place");
            }
        }
    }
}
