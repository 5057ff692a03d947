/** Classes, fields, dispatch, casts. */
public class Objects1 {
    static class Point { int x; long y; byte b; boolean flag; double d; float f; char c; short s; Point next; Point(int x, long y) { this.x = x; this.y = y; } int sum() { return x + (int) y; } }
    static class Point3 extends Point { int z; Point3(int x, long y, int z) { super(x, y); this.z = z; } @Override int sum() { return super.sum() * z; } }
    static abstract class Shape { abstract double area(); double twice() { return area() * 2; } static int made; Shape() { made++; } }
    static class Square extends Shape { double s; Square(double s) { this.s = s; } double area() { return s * s; } }
    static class Circle extends Shape { double r; Circle(double r) { this.r = r; } double area() { return 3 * r * r; } @Override double twice() { return super.twice() + 1; } }
    interface Named { String name(); default String greeting() { return "hi " + name(); } static String shout(String s) { return s + "!"; } }
    static class Dog implements Named { public String name() { return "dog"; } }
    static class Cat implements Named { public String name() { return "cat"; } public String greeting() { return "miaow"; } }
    static class Node { int v; Node left, right; Node(int v) { this.v = v; } void insert(int w) { if (w < v) { if (left == null) left = new Node(w); else left.insert(w); } else if (right == null) right = new Node(w); else right.insert(w); } int depth() { int l = left == null ? 0 : left.depth(), r = right == null ? 0 : right.depth(); return 1 + Math.max(l, r); } }

    static int fields(int a, long b) { Point p = new Point(a, b); p.b = (byte) a; p.flag = a > 0; p.d = a; p.f = b; p.c = (char) a; p.s = (short) b; p.x += p.b + p.c + p.s; p.y--; return p.sum() + (p.flag ? 1 : 0) + (int) (p.d - p.f); }
    static int overriding(int a, int z) { Point p = z > 5 ? new Point3(a, 2, z) : new Point(a, 3); return p.sum(); }
    static double shapes(int n) { Shape s = (n & 1) == 0 ? new Square(n) : new Circle(n); return s.twice(); }
    static String named(int n) { Named x = n > 0 ? new Dog() : n < 0 ? new Cat() : () -> "lambda"; return Named.shout(x.greeting()); }
    static int nullField(int n) { Point p = n > 0 ? new Point(n, 1) : null; return p.x; }
    static int chain(int n) { Point p = null; for (int i = 0; i < (n & 15); i++) { Point q = new Point(i, i); q.next = p; p = q; } int s = 0; while (p != null) { s += p.sum(); p = p.next; } return s; }
    static String instance(int n) { Object o = n == 0 ? null : n == 1 ? "s" : n == 2 ? new int[0] : n == 3 ? new Point3(1, 2, 3) : Integer.valueOf(n); return (o instanceof String) + "" + (o instanceof Point) + (o instanceof int[]) + (o instanceof Integer) + (o instanceof Comparable) + (o instanceof Object); }
    static int casts(int n) { Object o = n % 3 == 0 ? "text" : n % 3 == 1 ? new Point3(n, 1, 2) : new Point(n, 2); return ((Point) o).sum(); }
    static int arrayCast(int n) { Object o = n > 0 ? new int[] {n} : new long[] {n}; return ((int[]) o)[0]; }
    static int pattern(int n) { Object o = n > 0 ? (Object) n : "none"; if (o instanceof Integer i && i > 10) return i; return -1; }
    static int tree(int[] a) { if (a.length == 0) return 0; Node root = new Node(a[0]); for (int i = 1; i < a.length; i++) root.insert(a[i]); return root.depth(); }
    static boolean same(int n) { Point p = new Point(1, 2), q = n > 0 ? p : new Point(1, 2); return p == q && p.equals(q) && (p != null); }
    static int counter(int n) { int before = Shape.made; for (int i = 0; i < (n & 7); i++) new Square(i); return Shape.made - before; }
    static int inner(int n) { class Local { int twice() { return n * 2; } } return new Local().twice() + new Object() { int thrice() { return n * 3; } }.thrice(); }
    record Pair(int a, String b) { Pair { if (a < 0) throw new IllegalArgumentException("negative: " + a); } int len() { return b.length() + a; } }
    static String record(int a, String b) { Pair p = new Pair(a, b); return p + " " + p.equals(new Pair(a, "x")) + " " + p.len(); }
    static int recordHash(int a) { return new Pair(a, "k").hashCode(); }
    static String className(int n) { return (n > 0 ? new Dog() : new Cat()).getClass().getName(); }
    static boolean sameClass(int n) { Named a = new Dog(), b = n > 0 ? new Dog() : new Cat(); return a.getClass() == b.getClass(); }
}
