import java.util.*;
import java.util.function.*;

/** Boxing, collections, lambdas, Math. */
public class Library1 {
    static int boxed(int a, int b) { Integer x = a, y = b; return x + y; }
    static boolean cache(int n) { Integer x = n, y = n; return x == y; }
    static boolean boxEquals(long n) { Long a = n, b = n; return a.equals(b) && !a.equals((int) n); }
    static int unboxNull(int n) { Integer x = n > 0 ? n : null; return x; }
    static String boxText(double d, char c, boolean b) { Object[] all = {c, b, (byte) 3, (short) 4, 5L}; String s = ""; for (Object o : all) s += o; return s; }
    static int compareBoxed(int a, int b) { return Integer.compare(a, b) + Integer.valueOf(a).compareTo(b) * 10; }
    static int bits(int n) { return Integer.bitCount(n) * 1000000 + Integer.numberOfLeadingZeros(n) * 1000 + Integer.numberOfTrailingZeros(n); }
    static long bitsLong(long n) { return Long.bitCount(n) * 1000000 + Long.numberOfLeadingZeros(n) * 1000 + Long.numberOfTrailingZeros(n) + Long.reverse(n) + Long.highestOneBit(n); }
    static int reversed(int n) { return Integer.reverse(n) ^ Integer.reverseBytes(n) ^ Integer.rotateLeft(n, 5); }
    static int unsigned(int a, int b) { return Integer.compareUnsigned(a, b) * 7 + (b != 0 ? Integer.divideUnsigned(a, b) ^ Integer.remainderUnsigned(a, b) : 0); }
    static int list(int n) { List<Integer> l = new ArrayList<>(); for (int i = 0; i < (n & 31); i++) l.add(i * i); l.remove(Integer.valueOf(4)); int s = 0; for (int x : l) s = s * 3 + x; return s + l.indexOf(9); }
    static int listGet(int n, int i) { List<String> l = new ArrayList<>(List.of("a", "bb", "ccc")); l.add(1, "x"); return l.get(i).length() + l.size() + n; }
    static int sorted(int[] a) { List<Integer> l = new ArrayList<>(); for (int x : a) l.add(x); Collections.sort(l); int s = 0; for (int x : l) s = s * 31 + x; return s; }
    static int sortedBy(int[] a) { List<Integer> l = new ArrayList<>(); for (int x : a) l.add(x); l.sort((x, y) -> Integer.compare(y, x)); return l.isEmpty() ? 0 : l.get(0); }
    static int[] arraysSort(int[] a) { Arrays.sort(a); return a; }
    static int map(int n) { Map<String, Integer> m = new HashMap<>(); for (int i = 0; i < (n & 31); i++) m.put("k" + i % 7, i); int s = 0; for (Map.Entry<String, Integer> e : m.entrySet()) s = s * 31 + e.getKey().hashCode() + e.getValue(); return s + m.getOrDefault("k3", -5); }
    static int treeMap(int[] a) { TreeMap<Integer, Integer> m = new TreeMap<>(); for (int x : a) m.merge(x, 1, Integer::sum); for (int i = 0; i < a.length; i += 2) m.remove(a[i]); int s = 0; for (int k : m.keySet()) s = s * 31 + k + m.get(k); return s; }
    static int set(int[] a) { Set<Integer> s = new HashSet<>(); for (int x : a) s.add(x); return s.size() * 2 + (s.contains(3) ? 1 : 0); }
    static int deque(int n) { Deque<Integer> d = new ArrayDeque<>(); for (int i = 0; i < (n & 15); i++) { if (i % 3 == 0) d.addFirst(i); else d.addLast(i); } int s = 0; while (!d.isEmpty()) s = s * 5 + d.pollFirst(); return s; }
    static int linked(int n) { LinkedList<Integer> l = new LinkedList<>(); for (int i = 0; i < (n & 7); i++) l.addFirst(i); return l.isEmpty() ? -1 : l.getLast() * 10 + l.getFirst(); }
    static int priority(int[] a) { PriorityQueue<Integer> q = new PriorityQueue<>(); for (int x : a) q.add(x); int s = 0; while (!q.isEmpty()) s = s * 31 + q.poll(); return s; }
    static int lambda(int a, int b) { IntBinaryOperator f = (x, y) -> x * y + a; Function<Integer, Integer> g = x -> x + b; Supplier<String> s = () -> "s" + a; return f.applyAsInt(a, b) + g.apply(a) + s.get().length(); }
    static int reference(int a) { Function<Object, String> f = String::valueOf; IntUnaryOperator g = Math::abs; Supplier<List<Integer>> h = ArrayList::new; List<Integer> l = h.get(); l.add(a); ToIntFunction<String> len = String::length; return len.applyAsInt(f.apply(a)) + g.applyAsInt(a) + l.size(); }
    static int composed(int a) { Function<Integer, Integer> f = x -> x + 1, g = x -> x * 2; return f.andThen(g).compose(f).apply(a); }
    static int captured(long a, double b, int c) { LongSupplier f = () -> a * c; DoubleSupplier g = () -> b / 2; return (int) (f.getAsLong() + g.getAsDouble()); }
    static double roots(double a, double b) { return Math.sqrt(a * a + b * b); }
    static double rounding(double a) { return Math.floor(a) * 3 + Math.ceil(a) * 5 + Math.rint(a); }
    static long round(double a, float b) { return Math.round(a) * 31 + Math.round(b); }
    static double extremes(double a, double b) { return Math.max(a, b) - Math.min(a, b) + Math.abs(a); }
    static float extremesF(float a, float b) { return Math.max(a, b) - Math.min(a, b) + Math.abs(b); }
    static int floorMod(int a, int b) { return Math.floorMod(a, b) * 3 + Math.floorDiv(a, b); }
    static int exact(int a, int b) { return Math.addExact(a, b) + Math.multiplyExact(a, 2); }
    static long exactLong(long a, long b) { return Math.multiplyExact(a, b); }
    static double signum(double a) { return Math.signum(a) + Math.copySign(2, a) + Math.ulp(a); }
    static double fma(double a, double b, double c) { return Math.fma(a, b, c); }
    static String arraysText(int[] a) { return Arrays.toString(a) + Arrays.hashCode(a); }
    static boolean arraysEqual(int[] a, int n) { int[] b = Arrays.copyOf(a, n & 7); return Arrays.equals(a, b); }
    static int optional(int n) { Optional<Integer> o = n > 0 ? Optional.of(n) : Optional.empty(); return o.map(x -> x * 2).orElse(-1); }
    static String objects(Object a, int n) { return Objects.requireNonNullElse(null, "d") + Objects.equals(n, 3) + Objects.hash(1, n); }
    static int iterator(int n) { List<Integer> l = new ArrayList<>(); for (int i = 0; i < 6; i++) l.add(i); Iterator<Integer> it = l.iterator(); int s = 0; while (it.hasNext()) { int x = it.next(); if (x % 2 == 0) it.remove(); else s += x; if (n == x) l.add(9); } return s + l.size(); }
    static int random(long seed) { Random r = new Random(seed); return r.nextInt() ^ r.nextInt(100) ^ (r.nextBoolean() ? 1 : 0); }
    static int varargs(int... a) { int s = a.length; for (int x : a) s += x; return s; }
    static <T extends Comparable<T>> T larger(T a, T b) { return a.compareTo(b) > 0 ? a : b; }
    static int generic(int a, int b) { return larger(a, b) + larger("a" + a, "a" + b).length(); }
}
