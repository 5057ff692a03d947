import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/** Streams, and what collects them. */
public class Streams1 {
    static int rangeSum(int n) { return IntStream.range(0, n & 15).sum(); }
    static int closedSum(int n) { return IntStream.rangeClosed(1, n & 15).map(x -> x * x).sum(); }
    static long count(int n) { return IntStream.range(0, n & 31).filter(x -> x % 3 == 0).count(); }
    static int reduce(int[] a) { return Arrays.stream(a).reduce(7, (x, y) -> x * 31 + y); }
    static int max(int[] a) { return Arrays.stream(a).max().orElse(-1); }
    static double average(int[] a) { return Arrays.stream(a).average().orElse(0.5); }
    static boolean anyMatch(int[] a) { return Arrays.stream(a).anyMatch(x -> x == 3); }
    static boolean allMatch(int[] a) { return Arrays.stream(a).allMatch(x -> x > 0); }
    static int[] toArray(int[] a) { return Arrays.stream(a).map(x -> x + 1).filter(x -> x % 2 == 0).toArray(); }
    static int[] sorted(int[] a) { return Arrays.stream(a).sorted().toArray(); }
    static int[] distinct(int[] a) { return Arrays.stream(a).distinct().toArray(); }
    static int[] limited(int[] a) { return Arrays.stream(a).skip(1).limit(3).toArray(); }
    static List<Integer> of(int... a) { List<Integer> l = new ArrayList<>(); for (int x : a) l.add(x); return l; }
    static int mapFilterCollect(int[] a) { List<Integer> l = of(a).stream().map(x -> x * 2).filter(x -> x > 4).collect(Collectors.toList()); return l.hashCode(); }
    static int toList(int n) { return Stream.of(1, 2, 3, n).map(x -> x + 1).toList().hashCode(); }
    static String joining(String a, String b) { return Stream.of("x", a, b).map(String::valueOf).collect(Collectors.joining(",", "[", "]")); }
    static int sumBoxed(int[] a) { return of(a).stream().mapToInt(Integer::intValue).sum(); }
    static int boxedMax(int[] a) { return of(a).stream().max(Comparator.naturalOrder()).orElse(0); }
    static int sortedBy(int n) { List<String> l = Stream.of("bb", "a", "cccc", "ddd" + n).sorted(Comparator.comparing(String::length).reversed()).collect(Collectors.toList()); return l.get(0).length() * 10 + l.get(3).length(); }
    static int grouping(int[] a) { Map<Integer, List<Integer>> m = of(a).stream().collect(Collectors.groupingBy(x -> Math.floorMod(x, 3))); return m.size() * 100 + m.getOrDefault(1, List.of()).size(); }
    static int partition(int[] a) { Map<Boolean, Long> m = of(a).stream().collect(Collectors.partitioningBy(x -> x > 0, Collectors.counting())); return (int) (m.get(true) * 10 + m.get(false)); }
    static int toMap(int n) { Map<String, Integer> m = Stream.of("a", "bb", "ccc").collect(Collectors.toMap(s -> s, String::length)); return m.get("bb") + n; }
    static int toSet(int[] a) { return of(a).stream().collect(Collectors.toSet()).size(); }
    static int flatMap(int n) { return Stream.of(List.of(1, 2), List.of(3, n)).flatMap(List::stream).mapToInt(x -> x).sum(); }
    static int iterate(int n) { return IntStream.iterate(1, x -> x * 2).limit(n & 7).sum(); }
    static int findFirst(int[] a) { return Arrays.stream(a).filter(x -> x > 2).findFirst().orElse(-9); }
    static int forEach(int[] a) { int[] s = {0}; Arrays.stream(a).forEach(x -> s[0] += x); return s[0]; }
    static int peek(int n) { List<Integer> seen = new ArrayList<>(); Stream.of(3, n).peek(seen::add).filter(x -> x > 0).count(); return seen.size(); }
    static long longRange(int n) { return LongStream.rangeClosed(1, n & 7).reduce(1, (x, y) -> x * y); }
    static double doubles(double a, double b) { return DoubleStream.of(a, b, 1.5).max().getAsDouble(); }
    static int chars(String s) { return s.chars().filter(Character::isLetter).map(c -> c - 'a').sum(); }
    static String mapToObj(int n) { return IntStream.range(0, n & 3).mapToObj(i -> "i" + i).collect(Collectors.joining()); }
    static int statistics(int[] a) { IntSummaryStatistics s = Arrays.stream(a).summaryStatistics(); return s.getMax() - s.getMin() + (int) s.getCount(); }
    static int takeWhile(int[] a) { return (int) Arrays.stream(a).takeWhile(x -> x >= 0).count(); }
    static int collectLinked(int[] a) { return of(a).stream().collect(Collectors.toCollection(TreeSet::new)).hashCode(); }
    static int reduceObjects(int n) { return Stream.of(1, 2, n).reduce(0, Integer::sum) + Stream.of(2, 5).reduce((x, y) -> x - y).get(); }
}
