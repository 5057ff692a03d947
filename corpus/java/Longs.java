/** Arithmetic on long. */
public class Longs {
    static long add(long a, long b) { return a + b; }
    static long sub(long a, long b) { return a - b; }
    static long mul(long a, long b) { return a * b; }
    static long div(long a, long b) { return a / b; }
    static long rem(long a, long b) { return a % b; }
    static long neg(long a) { return -a; }
    static long bits(long a, long b) { return (a & b) | (a ^ ~b); }
    static long shl(long a, int b) { return a << b; }
    static long shr(long a, int b) { return a >> b; }
    static long ushr(long a, int b) { return a >>> b; }
    static long shiftByLong(long a, long b) { return (a << b) + (a >> b) + (a >>> b); }
    static int compare(long a, long b) { return a < b ? -1 : a == b ? 0 : 1; }
    static boolean compareAll(long a, long b) {
        return (a < b) == (b > a) && (a <= b) == (b >= a) && (a == b) != (a != b);
    }
    static long widened(int a, int b) { return (long) a * b; }
    static int mixed(int a, long b, int c, long d) { return (int) (a * b - c * d); }
    static long sumOfSquares(int n) {
        long s = 0;
        for (int i = 0; i < (n & 63); i++) s += (long) i * i;
        return s;
    }
    static long highHalf(long a) { return a >>> 32 | a << 32; }
    static long fibonacci(int n) {
        long a = 0, b = 1;
        for (int i = 0; i < (n & 127); i++) { long t = a + b; a = b; b = t; }
        return a;
    }
}
