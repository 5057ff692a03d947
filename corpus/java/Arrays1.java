/** Arrays of every type. */
public class Arrays1 {
    static int sum(int[] a) { int s = 0; for (int x : a) s += x; return s; }
    static int get(int[] a, int i) { return a[i]; }
    static int[] put(int[] a, int i, int v) { a[i] = v; return a; }
    static int length(int[] a) { return a.length; }
    static boolean[] booleans(int n) { boolean[] a = new boolean[n & 7]; for (int i = 0; i < a.length; i += 2) a[i] = true; return a; }
    static byte[] bytes(int n) { byte[] a = new byte[n & 15]; for (int i = 0; i < a.length; i++) a[i] = (byte) (i * n); return a; }
    static char[] chars(char c) { char[] a = new char[4]; for (int i = 0; i < 4; i++) a[i] = (char) (c + i); return a; }
    static short[] shorts(short s) { short[] a = {s, (short) (s + 1), (short) -s}; return a; }
    static long[] longs(long v) { long[] a = new long[3]; a[0] = v; a[1] = ~v; a[2] = a[0] * a[1]; return a; }
    static float[] floats(float v) { return new float[] {v, v * v, 1 / v}; }
    static double[] doubles(double v) { return new double[] {v, v * v, 1 / v}; }
    static String[] strings(String s) { return new String[] {s, null, "x"}; }
    static int[] negative(int n) { return new int[n % 20]; }
    static int[][] nested(int n, int m) { int[][] a = new int[n % 5][m % 5]; for (int[] row : a) for (int j = 0; j < row.length; j++) row[j] = j * n; return a; }
    static int[][] jagged(int n) { int[][] a = new int[n & 3][]; for (int i = 0; i < a.length; i++) a[i] = new int[i]; return a; }
    static long[][][] deep(int n) { long[][][] a = new long[n & 3][2][3]; if (a.length > 1) a[1][1][2] = n; return a; }
    static int[] bubble(int[] a) {
        for (int i = 0; i < a.length; i++)
            for (int j = 0; j + 1 < a.length - i; j++)
                if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
        return a;
    }
    static int binarySearch(int[] a, int key) {
        int lo = 0, hi = a.length - 1;
        while (lo <= hi) {
            int mid = (lo + hi) >>> 1;
            if (a[mid] < key) lo = mid + 1; else if (a[mid] > key) hi = mid - 1; else return mid;
        }
        return -lo - 1;
    }
    static int[] copyPart(int[] a, int from, int to, int n) { int[] b = new int[8]; System.arraycopy(a, from, b, to, n); return b; }
    static int[] overlap(int[] a, int n) { if (a.length > 2) System.arraycopy(a, 0, a, 1, a.length - 1); return a; }
    static int[] cloned(int[] a) { int[] b = a.clone(); if (b.length > 0) b[0]++; return b; }
    static Object[] store(int n) { Object[] a = n % 2 == 0 ? new Object[2] : new String[2]; a[0] = "s"; a[1] = n % 3 == 0 ? Integer.valueOf(n) : "t"; return new Object[] {a[0]}; }
    static int postfix(int[] a, int i) { a[i++ & 1] += i; return a[0] + i; }
    static int elementIncrement(byte[] a) { a[0]++; a[0] <<= 1; return a[0]; }
    static long compound(long[] a, int i) { a[i] ^= a[i] << 3; return a[i]--; }
}
