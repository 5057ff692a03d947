/** Loops, switches, labels. */
public class Control {
    static int gcd(int a, int b) { while (b != 0) { int t = a % b; a = b; b = t; } return a; }
    static int collatz(int n) { int c = 0; n &= 1023; while (n > 1 && c < 500) { n = (n & 1) == 0 ? n / 2 : 3 * n + 1; c++; } return c; }
    static int doWhile(int n) { int i = 0; do { i += 3; } while (i < (n & 255)); return i; }
    static int nestedBreak(int n) {
        int c = 0;
        outer:
        for (int i = 0; i < 10; i++) {
            for (int j = 0; j < 10; j++) {
                if (j == 7) continue outer;
                if (i * j == (n & 31)) break outer;
                c++;
            }
        }
        return c;
    }
    static int dense(int n) { switch (n) { case 0: return 5; case 1: return 6; case 2: case 3: return 7; case 5: return 9; default: return -1; } }
    static int sparse(int n) { switch (n) { case -1000: return 1; case 0: return 2; case 77: return 3; case 2147483647: return 4; default: return 5; } }
    static int fallThrough(int n) { int r = 0; switch (n & 3) { case 0: r += 1; case 1: r += 10; break; case 2: r += 100; default: r += 1000; } return r; }
    static int onString(String s) { if (s == null) return -1; switch (s) { case "a": return 1; case "abc": return 2; case "": return 3; case "Aa": return 4; case "BB": return 5; default: return 0; } }
    static String arrow(int n) { return switch (n % 4) { case 0 -> "zero"; case 1, -1 -> "one"; case 2 -> { String t = "t"; yield t + "wo"; } default -> "else"; }; }
    enum Color { RED, GREEN, BLUE; Color next() { return values()[(ordinal() + 1) % 3]; } }
    static int onEnum(int n) { Color c = Color.values()[(n & 0xff) % 3]; switch (c) { case RED: return 1; case BLUE: return 3; default: return c.next().ordinal(); } }
    static String enumName(int n) { return Color.values()[(n & 0xff) % 3].next().name(); }
    static int enumOf(String s) { return Color.valueOf(s).ordinal(); }
    static int enumOfKnown(int n) { return Color.valueOf(n > 0 ? "GREEN" : "BLUE").ordinal(); }
    static int trityp(int i, int j, int k) {
        int t;
        if (i == 0 || j == 0 || k == 0) return 4;
        t = 0;
        if (i == j) t += 1;
        if (i == k) t += 2;
        if (j == k) t += 3;
        if (t == 0) {
            if (i + j <= k || j + k <= i || i + k <= j) t = 4; else t = 1;
        } else if (t > 3) t = 3;
        else if (t == 1 && i + j > k) t = 2;
        else if (t == 2 && i + k > j) t = 2;
        else if (t == 3 && j + k > i) t = 2;
        else t = 4;
        return t;
    }
    static int ackermann(int m, int n) { m &= 1; n &= 7; return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
    static int mcCarthy(int n) { n = Math.max(n, -50); return n > 100 ? n - 10 : mcCarthy(mcCarthy(n + 11)); }
    static int josephus(int n, int k) { n = (n & 63) + 1; k = (k & 7) + 1; int r = 0; for (int i = 2; i <= n; i++) r = (r + k) % i; return r; }
    static boolean isPrime(int n) { n &= 4095; if (n < 2) return false; for (int i = 2; i * i <= n; i++) if (n % i == 0) return false; return true; }
    static int bitCount(int n) { int c = 0; while (n != 0) { n &= n - 1; c++; } return c; }
    static long power(int b, int e) { long r = 1, x = b; for (e &= 31; e > 0; e >>= 1) { if ((e & 1) == 1) r *= x; x *= x; } return r; }
    static int charSwitch(char c) { switch (c) { case 'a': case 'e': case 'i': case 'o': case 'u': return 1; case ' ': return 2; default: return c >= '0' && c <= '9' ? c - '0' : 3; } }
    static int monitor(Object lock, int n) { synchronized (lock == null ? "x" : lock) { return n + 1; } }
    static int foo(int x, int y) { return x > 0 ? (y > 0 ? x * y : x - y) : (y < 0 ? x + y : 0); }
}
