import java.util.*;

/** What needs a newer Java than 17: switches over patterns, record patterns. */
public class Patterns21 {
    sealed interface Shape permits Circle, Box, Line {}
    record Circle(int r) implements Shape {}
    record Box(int w, int h) implements Shape {}
    record Line(Shape a, Shape b) implements Shape {}
    enum Color { RED, GREEN, BLUE }
    static Shape shape(int n) { return switch (Math.floorMod(n, 3)) { case 0 -> new Circle(n); case 1 -> new Box(n, 2); default -> new Line(new Circle(1), new Box(n, n)); }; }
    static int types(int n) { return switch (shape(n)) { case Circle c -> c.r(); case Box b -> b.w() * b.h(); case Line l -> -1; }; }
    static int records(int n) { return switch (shape(n)) { case Circle(int r) -> r; case Box(int w, int h) -> w + h; case Line(Circle(var r), Box(int w, int h)) -> r + w; case Line l -> -2; }; }
    static int guards(int n) { Object o = n > 5 ? (Object) n : n > 0 ? "s" + n : n == 0 ? null : (Object) (long) n; return switch (o) { case null -> 0; case Integer i when i > 100 -> 1; case Integer i -> i; case String s when s.length() > 2 -> 3; case String s -> s.length(); default -> -4; }; }
    static int enums(int n) { Color c = Color.values()[Math.floorMod(n, 3)]; return switch (c) { case RED -> 1; case Color k when n > 9 -> 2; case GREEN -> 3; case BLUE -> 4; }; }
    static int strings(String s) { return switch (s) { case "a" -> 1; case String t when t.length() > 3 -> 2; case "bb" -> 3; default -> 4; }; }
    static boolean instance(int n) { return shape(n) instanceof Box(int w, int h) && w > h; }
    static int sequenced(int n) { List<Integer> l = new ArrayList<>(List.of(1, 2, n)); return l.getFirst() + l.getLast() + l.reversed().get(0); }
}
