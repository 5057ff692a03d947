/** Static fields and initializers. */
public class Statics1 {
    static final int CONST = 42;
    static final long BIG = 1L << 40;
    static final String TEXT = "text";
    static final double D = 2.5;
    static int[] table = new int[8];
    static int order;
    static { for (int i = 0; i < table.length; i++) table[i] = i * i; order = table[3]; }
    static class Lazy { static int value = order + 1; static { order = 100; } static int get() { return value; } }
    static class Base { static int b = 5; static { b++; } }
    static class Derived extends Base { static int d = b * 2; }
    static class Failing { static int v = 1 / (order - order); static int get() { return v; } }
    interface Consts { int A = 3; int[] ARRAY = {1, 2, 3}; }
    static int constants(int n) { return CONST + (int) (BIG >> n) + TEXT.length() + (int) D; }
    static int tableAt(int i) { return table[i]; }
    static int derived(int n) { return Derived.d + Base.b + n; }
    static int interfaceField(int i) { return Consts.ARRAY[i] + Consts.A; }
    static int swap(int a, int b) { int x = a; a = b; b = x; return a * 31 + b; }
    static int staticArray(int n) { int[] copy = table.clone(); copy[n & 7] = n; int s = 0; for (int x : copy) s += x; return s; }
}
