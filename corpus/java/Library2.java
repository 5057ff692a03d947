import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.*;
import java.util.function.*;

/** Records, sealed types, switches, text, collections of every kind, numbers of any size. */
public class Library2 {
    record Point(int x, int y) { Point { if (x < -1000) throw new IllegalArgumentException("x " + x); } int sum() { return x + y; } static Point of(int x) { return new Point(x, x); } }
    record Named<T>(String name, T value) {}
    sealed interface Shape permits Circle, Box {}
    record Circle(double r) implements Shape {}
    record Box(int w, int h) implements Shape {}
    enum Color { RED(1), GREEN(2) { @Override int twice() { return 5; } }, BLUE(4); final int n; Color(int n) { this.n = n; } int twice() { return 2 * n; } }
    static int recordSum(int a, int b) { return new Point(a, b).sum() + Point.of(b).x(); }
    static boolean recordEquals(int a, int b) { return new Point(a, b).equals(new Point(b, a)) && new Named<>("n", a).equals(new Named<>("n", b)); }
    static int recordHash(int a, int b) { return new Point(a, b).hashCode(); }
    static String recordText(int a, String s) { return new Named<>(s, a).toString(); }
    static double area(int n) { Shape s = n > 3 ? new Circle(n) : new Box(n, 2); if (s instanceof Circle c) return c.r() * c.r() * 3; if (s instanceof Box b && b.w() > 1) return b.w() * b.h(); return -1; }
    static int enumSwitch(int n) { Color c = Color.values()[Math.floorMod(n, 3)]; return switch (c) { case RED -> 10; case GREEN -> 20 + c.twice(); case BLUE -> c.ordinal(); }; }
    static int enumOf(int n) { String s = n > 0 ? "RED" : "BLUE"; return Color.valueOf(s).n + Color.valueOf(s).name().length() + Color.RED.compareTo(Color.BLUE); }
    static int enumBad(int n) { return Color.valueOf(n == 0 ? "RED" : "PINK").n; }
    static int enumMap(int n) { EnumMap<Color, Integer> m = new EnumMap<>(Color.class); m.put(Color.GREEN, n); m.put(Color.RED, 1); int s = 0; for (Map.Entry<Color, Integer> e : m.entrySet()) s = s * 10 + e.getKey().n + e.getValue(); return s; }
    static int enumSet(int n) { EnumSet<Color> s = EnumSet.of(Color.RED, Color.BLUE); if (n > 0) s.add(Color.GREEN); return s.size() * 10 + (s.contains(Color.GREEN) ? 1 : 0) + EnumSet.allOf(Color.class).size(); }
    static int stringSwitch(String s) { switch (s) { case "a": return 1; case "bb": return 2; case "Aa": case "BB": return 3; default: return s.length(); } }
    static String switchExpression(int n) { return switch (n & 7) { case 0, 1 -> "few"; case 2 -> { String t = "two"; yield t + n; } default -> "many"; }; }
    static String textBlock(int n) { return """
        Hello,
          "world" \
        %d
        """ + n; }
    static String repeat(String s, int n) { return s.repeat(n & 3).strip() + s.isBlank() + s.indent(1).length(); }
    static int lines(String s) { return (int) ("a\nb\r\nc" + s).lines().count(); }
    static String builder(int n, double d, char c) { StringBuilder b = new StringBuilder(); b.append(n).append(c).append(true).insert(1, "ins").reverse(); b.deleteCharAt(0); b.setLength(Math.min(b.length(), 5)); return b.append((Object) null).toString() + b.indexOf("l") + b.charAt(1); }
    static String join(String a, String b) { return String.join("-", a, b, "c") + String.join("", List.of("p", "q")); }
    static int split(String s) { return (s + ",b,,c").split(",").length; }
    static String replace(String s) { return s.replace('a', 'b').replace("b", "cc").toUpperCase().trim(); }
    static int find(String s, int n) { return s.indexOf('a') * 1000 + s.lastIndexOf("b") * 10 + (s.contains("ab") ? 1 : 0) + (s.startsWith("a") ? 100000 : 0) + s.compareTo("b"); }
    static String cut(String s, int i, int j) { return s.substring(i, j); }
    static String text(int n, long l, float f, double d) { return Integer.toString(n, 7) + Integer.toHexString(n) + Long.toBinaryString(l) + Integer.toOctalString(n); }
    static String floatText(float f, double d) { return Float.toString(f) + Double.toString(d); }
    static int parse(String s) { return Integer.parseInt(s); }
    static int parseGood(int n, int radix) { return Integer.parseInt(Integer.toString(n)) + Integer.parseInt("-7f", 16) + Integer.valueOf("12"); }
    static long parseLong(long n) { return Long.parseLong("" + n) ^ Long.decode("0x1F"); }
    static double parseDouble(int n) { return Double.parseDouble(n % 100 + ".5e2") + Double.valueOf("-0.25"); }
    static boolean parseBoolean(String s) { return Boolean.parseBoolean(s) | Boolean.logicalXor(true, s == null); }
    static int characters(char c) { return (Character.isDigit(c) ? 1 : 0) + (Character.isLetter(c) ? 2 : 0) + (Character.isUpperCase(c) ? 4 : 0) + (Character.isWhitespace(c) ? 8 : 0) + (Character.isLetterOrDigit(c) ? 16 : 0) + Character.getNumericValue(c) * 32 + Character.digit(c, 16) * 4096; }
    static char upper(char c) { return c < 128 ? Character.toUpperCase(c) : Character.toLowerCase('Q'); }
    static int[] fill(int n, int v) { int[] a = new int[n & 7]; Arrays.fill(a, v); if (a.length > 2) Arrays.fill(a, 1, 2, 9); return Arrays.copyOfRange(a, 0, 4); }
    static int arrays(int[] a) { int[] b = a.clone(); Arrays.sort(b); return Arrays.binarySearch(b, 3) + Arrays.hashCode(b) + (Arrays.equals(a, b) ? 1 : 0) + Arrays.asList(1, 2, 3).indexOf(2); }
    static String[] sortStrings(String[] a) { Arrays.sort(a); return a; }
    static Integer[] sortBoxed(int[] a) { Integer[] b = new Integer[a.length]; for (int i = 0; i < a.length; i++) b[i] = a[i]; Arrays.sort(b, Collections.reverseOrder()); return null; }
    static long[] sortLongs(long[] a) { Arrays.sort(a); return a; }
    static double[] sortDoubles(double[] a) { Arrays.sort(a); return a; }
    static String deep(int n) { int[][] a = {{1, n}, {}, null}; return Arrays.deepToString(a) + Arrays.deepEquals(a, new int[][] {{1, n}, {}, null}); }
    static int[] arraycopy(int[] a, int i) { int[] b = new int[8]; System.arraycopy(a, 0, b, i & 3, a.length); System.arraycopy(b, 0, b, 1, 6); return b; }
    static int collections(int[] a) { List<Integer> l = new ArrayList<>(); for (int x : a) l.add(x); Collections.reverse(l); Collections.sort(l, Comparator.comparing(x -> -x)); Collections.swap(l, 0, l.size() - 1); return Collections.max(l) - Collections.min(l) + Collections.frequency(l, 3) + Collections.unmodifiableList(l).get(0); }
    static int unmodifiable(int n) { List<Integer> l = n > 0 ? List.of(n) : Collections.emptyList(); l.add(3); return 1; }
    static int copies(int n) { return List.copyOf(Arrays.asList(1, n)).size() + Collections.nCopies(n & 7, "x").size() + Set.of(1, 2, 3).size() + Map.of("a", n).get("a"); }
    static int concurrentModification(int n) { List<Integer> l = new ArrayList<>(List.of(1, 2, 3)); for (int x : l) if (x == n) l.remove(0); return l.size(); }
    static int mapCompute(int n) { Map<Integer, Integer> m = new HashMap<>(); for (int i = 0; i < 5; i++) { m.computeIfAbsent(i & 1, k -> k * 10); m.compute(i & 1, (k, v) -> v == null ? 1 : v + n); m.putIfAbsent(7, 3); } m.replaceAll((k, v) -> v + 1); m.remove(7); m.values().removeIf(v -> v < 0); return m.hashCode(); }
    static int linkedMap(int n) { LinkedHashMap<String, Integer> m = new LinkedHashMap<>(); m.put("b", n); m.put("a", 2); m.put("c", 3); m.remove("a"); int s = 0; for (String k : m.keySet()) s = s * 100 + k.charAt(0); return s; }
    static int treeNavigation(int n) { TreeMap<Integer, String> m = new TreeMap<>(); for (int i = 0; i < 10; i += 3) m.put(i, "v" + i); Integer f = m.floorKey(n & 15), c = m.ceilingKey(n & 15); return (f == null ? -1 : f) * 100 + (c == null ? -1 : c) + m.headMap(5).size() + m.firstKey() + m.lastEntry().getKey() + m.descendingMap().firstKey(); }
    static int treeSet(int[] a) { TreeSet<Integer> s = new TreeSet<>(); for (int x : a) s.add(x); return s.isEmpty() ? 0 : s.first() + s.last() + s.headSet(3).size(); }
    static int bitSet(int n) { BitSet b = new BitSet(); b.set(n & 63); b.set(3, 6); b.clear(4); return b.cardinality() * 100 + b.nextSetBit(4) + b.length(); }
    static String bigInteger(long a, long b) { BigInteger x = BigInteger.valueOf(a), y = BigInteger.valueOf(b); return x.multiply(y).add(BigInteger.TEN).subtract(x).toString() + x.gcd(y) + x.signum() + x.compareTo(y); }
    static String bigPower(int n) { return BigInteger.TWO.pow(n & 127).mod(BigInteger.valueOf(1000007)).toString(); }
    static String bigDecimal(int n) { return new BigDecimal("1.25").multiply(BigDecimal.valueOf(n)).setScale(1, java.math.RoundingMode.HALF_UP).toPlainString(); }
    static int optional(int n) { Optional<String> o = Optional.ofNullable(n > 0 ? "x" + n : null); return o.filter(s -> s.length() > 2).map(String::length).orElseGet(() -> -n) + (o.isPresent() ? 1 : 0) + OptionalInt.of(n).getAsInt(); }
    static int optionalThrow(int n) { return Optional.of(n).filter(x -> x > 0).orElseThrow(() -> new IllegalStateException("none")); }
    static int objects(String s, int n) { return Objects.requireNonNull(s, "s is null").length() + Objects.hashCode(null) + Objects.checkIndex(n, 5) + (Objects.toString(null).equals("null") ? 1 : 0); }
    static int atomic(int n) { AtomicInteger a = new AtomicInteger(n); a.incrementAndGet(); a.compareAndSet(n + 1, 7); a.updateAndGet(x -> x * 2); AtomicLong l = new AtomicLong(3); AtomicReference<String> r = new AtomicReference<>("q"); r.set("r" + n); return a.getAndAdd(5) + (int) l.addAndGet(n) + r.get().length(); }
    static int concurrentMap(int n) { ConcurrentHashMap<String, Integer> m = new ConcurrentHashMap<>(); m.put("a", n); m.merge("a", 1, Integer::sum); m.putIfAbsent("b", 2); return m.get("a") + m.size(); }
    static int functions(int n) { Predicate<Integer> p = x -> x > 3; BiFunction<Integer, Integer, Integer> f = Math::max; UnaryOperator<String> u = String::trim; return (p.negate().or(x -> x == 9).test(n) ? 1 : 0) + f.andThen(x -> x + 1).apply(n, 4) + u.apply(" a ").length() + Function.<Integer>identity().apply(n); }
    static int nested(int n) { class Local { int v = n; int twice() { return v * 2; } } Runnable r = new Runnable() { @Override public void run() { } }; r.run(); return new Local().twice(); }
    static int tryResource(int n) { int[] log = {0}; try (AutoCloseable c = () -> log[0] += 10; AutoCloseable d = () -> log[0] *= 2) { if (n > 0) throw new IllegalStateException(); log[0]++; } catch (Exception e) { log[0] += 100; } finally { log[0]++; } return log[0]; }
    static int chained(int n) { try { try { return 10 / n; } catch (ArithmeticException e) { throw new RuntimeException("outer", e); } } catch (RuntimeException e) { return e.getCause().getMessage().length() + e.getMessage().length() + e.getSuppressed().length; } }
    static int multiCatch(int n) { try { if (n == 1) throw new IllegalArgumentException(); if (n == 2) throw new NullPointerException(); return ((Object) "s") instanceof String ? 3 : 4; } catch (IllegalArgumentException | NullPointerException e) { return -1; } }
    static int labeled(int n) { int s = 0; outer: for (int i = 0; i < 5; i++) { for (int j = 0; j < 5; j++) { if (j == (n & 7)) continue outer; if (i * j == 6) break outer; s += i * j; } } return s; }
    static int ternaries(int a, int b) { var x = a > b ? a : b; var l = new ArrayList<Integer>(); l.add(x); for (var y : l) x += y; return x; }
    static double math(double a, double b) { return Math.hypot(3, 4) + Math.cbrt(27) + Math.pow(2, 10) + Math.toRadians(180) + Math.floor(a) + Math.exp(0) + Math.log(1); }
    static long mathExact(long a, int b) { return Math.abs(b) + Math.floorMod(a, 7L) + Math.negateExact(b) + Math.toIntExact(b) + Math.max(a, b); }
    static int hash(String s, long l, double d, boolean b) { return Objects.hash(s, l, d, b) + Long.hashCode(l) + Double.hashCode(d) + Boolean.hashCode(b) + (s == null ? 0 : s.hashCode()); }
    static int ints(int a, int b) { return Integer.signum(a) + Integer.highestOneBit(b) + Integer.max(a, b) + Integer.sum(a, b) + Integer.MAX_VALUE + Short.parseShort("12") + Byte.toUnsignedInt((byte) a) + Character.MAX_VALUE; }
    static int uuid(int n) { return new UUID(n, 7).hashCode() + new StringJoiner("+").add("a").add("b").length() + new Scanner2(n).next(); }
    static class Scanner2 { private int at; Scanner2(int at) { this.at = at; } int next() { return at++; } }
    static int iteratorImpl(int n) { Iterable<Integer> it = () -> new Iterator<Integer>() { int i = 0; @Override public boolean hasNext() { return i < (n & 7); } @Override public Integer next() { return i++; } }; int s = 0; for (int x : it) s += x; return s; }
    static String format(int n) { return String.format("%d", n); }
    static String formatted(int n, String s) { return "%s=%5d|%x".formatted(s, n, n); }
    static boolean regex(String s) { return s.matches("[a-z]+"); }
    static String regexReplace(String s) { return s.replaceAll("[0-9]+", "#"); }
    static int regexSplit(String s) { return s.split("\\s*,\\s*").length; }
}
