/** Arithmetic on int and what is narrower. */
public class Ints {
    static int add(int a, int b) { return a + b; }
    static int sub(int a, int b) { return a - b; }
    static int mul(int a, int b) { return a * b; }
    static int div(int a, int b) { return a / b; }
    static int rem(int a, int b) { return a % b; }
    static int neg(int a) { return -a; }
    static int not(int a) { return ~a; }
    static int and(int a, int b) { return a & b; }
    static int or(int a, int b) { return a | b; }
    static int xor(int a, int b) { return a ^ b; }
    static int shl(int a, int b) { return a << b; }
    static int shr(int a, int b) { return a >> b; }
    static int ushr(int a, int b) { return a >>> b; }
    static int increments(int a) { a++; a += 1000; a -= 40000; a--; return a; }
    static byte byteSum(byte a, byte b) { return (byte) (a + b); }
    static short shortProduct(short a, short b) { return (short) (a * b); }
    static char charSum(char a, char b) { return (char) (a + b); }
    static char nextChar(char c) { c++; return c; }
    static boolean logic(boolean a, boolean b) { return a ^ b | !a & b; }
    static boolean shortCircuit(int a, int b) { return a != 0 && b / a > 1 || b == 7; }
    static int ternary(int a, int b) { return a > b ? a - b : a < b ? b - a : 42; }
    static int compareAll(int a, int b) {
        int r = 0;
        if (a == b) r |= 1;
        if (a != b) r |= 2;
        if (a < b) r |= 4;
        if (a <= b) r |= 8;
        if (a > b) r |= 16;
        if (a >= b) r |= 32;
        if (a == 0) r |= 64;
        if (a != 0) r |= 128;
        if (a < 0) r |= 256;
        if (a <= 0) r |= 512;
        if (a > 0) r |= 1024;
        if (a >= 0) r |= 2048;
        return r;
    }
    static int constants(int which) {
        int[] all = {-1, 0, 1, 2, 3, 4, 5, 6, 127, -128, 128, 32767, -32768, 32768, 65536, 1 << 30};
        return all[which];
    }
    static int manyLocals(int a, int b) {
        int c = a + b, d = a - b, e = c * d, f = e ^ a, g = f & b, h = g | c, i = h + d, j = i - e;
        int k = j * f, l = k + g, m = l ^ h, n = m + i;
        return n + j + k + l + m;
    }
}
