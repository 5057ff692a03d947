/** What stack.rules specifies, in Java. */
public class Stack {
    public enum answer { Yes, No }

    public static class Empty extends RuntimeException {}

    public static class Full extends RuntimeException {}

    public record fraction(int top, int bottom) {}

    public static answer isEmpty(int count) {
        return count <= 0 ? answer.Yes : answer.No;
    }

    public static int clamp(int low, int high, int x) {
        if (low > high) {
            throw new Empty();
        }
        return Math.max(low, Math.min(high, x));
    }

    public static fraction half(fraction f) {
        if (f.top() % 2 == 0) {
            return new fraction(f.top() / 2, f.bottom());
        }
        if (f.bottom() == 0) {
            throw new Full();
        }
        return new fraction(f.top(), f.bottom() * 2);
    }

    public static int sum(java.util.List<Integer> xs) {
        return xs.stream().mapToInt(Integer::intValue).sum();
    }
}
