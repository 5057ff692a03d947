/** The sixteen algorithms of GlassTT (WFLP 2004), in Java; the paper prints no sources. */
public class GlassTT {
    static int ackermann(int m, int n) {
        if (m == 0) {
            return n + 1;
        }
        if (n == 0) {
            return ackermann(m - 1, 1);
        }
        return ackermann(m - 1, ackermann(m, n - 1));
    }

    static int binarySearch(int[] a, int key) {
        int low = 0;
        int high = a.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (a[middle] == key) {
                return middle;
            }
            if (a[middle] < key) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    static void bubbleSort(int[] a) {
        boolean isSorted = false;
        while (!isSorted) {
            isSorted = true;
            for (int i = 0; i < a.length - 1; i++) {
                if (a[i] > a[i + 1]) {
                    int t = a[i];
                    a[i] = a[i + 1];
                    a[i + 1] = t;
                    isSorted = false;
                }
            }
        }
    }

    static int bresenham(int x0, int y0, int x1, int y1) {
        if (x0 < 0 || y0 < 0 || x1 > 20 || y1 > 20) {
            return -1;
        }
        int dx = x1 - x0;
        int dy = y1 - y0;
        if (dx < dy || dy < 0) {
            return -2;
        }
        int error = 2 * dy - dx;
        int y = y0;
        int n = 0;
        for (int x = x0; x <= x1; x++) {
            n++;
            if (error > 0) {
                y++;
                error -= 2 * dx;
            }
            error += 2 * dy;
        }
        return y == y1 ? n : 0;
    }

    static long factorial(int n) {
        if (n < 0 || n > 20) {
            return -1;
        }
        long product = 1;
        for (int i = 1; i <= n; i++) {
            product *= i;
        }
        if (product == 5040) {
            return 0;
        }
        return product;
    }

    /** Two equations; false when a pivot is zero. */
    static boolean gaussianElimination(double[][] a) {
        for (int i = 0; i < 2; i++) {
            int pivot = i;
            for (int j = i; j < 2; j++) {
                if (a[j][i] != 0.0) {
                    pivot = j;
                    break;
                }
            }
            if (a[pivot][i] == 0.0) {
                return false;
            }
            if (pivot != i) {
                double[] row = a[i];
                a[i] = a[pivot];
                a[pivot] = row;
            }
            for (int j = i + 1; j < 2; j++) {
                double factor = a[j][i] / a[i][i];
                for (int k = i; k < 3; k++) {
                    a[j][k] -= factor * a[i][k];
                }
            }
        }
        return true;
    }

    static double gcd(double a, double b) {
        while (a > 0) {
            if (a < b) {
                double h = a;
                a = b;
                b = h;
            }
            a = a % b;
        }
        return b;
    }

    static int histogram(byte[] values, int[] counts) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] < -64) {
                counts[0]++;
            } else if (values[i] < 0) {
                counts[1]++;
            } else if (values[i] < 64) {
                counts[2]++;
            } else {
                counts[3]++;
            }
        }
        int most = 0;
        for (int i = 1; i < counts.length; i++) {
            if (counts[i] > counts[most]) {
                most = i;
            }
        }
        return most;
    }

    /** Distances from node 0 of three; 1000 means none. */
    static int dijkstra(byte[][] w) {
        int[] d = {0, 1000, 1000};
        boolean[] isDone = new boolean[3];
        for (int round = 0; round < 3; round++) {
            int u = -1;
            for (int v = 0; v < 3; v++) {
                if (!isDone[v] && (u < 0 || d[v] < d[u])) {
                    u = v;
                }
            }
            isDone[u] = true;
            for (int v = 0; v < 3; v++) {
                int weight = w[u][v] & 255;
                if (weight != 0 && d[u] + weight < d[v]) {
                    d[v] = d[u] + weight;
                }
            }
        }
        return d[2] == 17 ? 1 : 0;
    }

    /** log(1 + x) by its series. */
    static boolean logarithm(double x) {
        if (x <= -1.0 || x > 1.0 || x != x) {
            return false;
        }
        double sum = 0.0;
        double term = x;
        int n = 1;
        while ((term > 1e-3 || term < -1e-3) && n < 8) {
            sum += term / n;
            term *= -x;
            n++;
        }
        return sum > 0.40 && sum < 0.41;
    }

    static boolean matrixMultiplication(byte[][] a, byte[][] b) {
        int[][] c = new int[2][2];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                for (int k = 0; k < 2; k++) {
                    c[i][j] += a[i][k] * b[k][j];
                }
            }
        }
        return c[0][0] == 1 && c[0][1] == 0 && c[1][0] == 0 && c[1][1] == 1;
    }

    static int mcCarthy(int n) {
        if (n > 100) {
            return n - 10;
        }
        return mcCarthy(mcCarthy(n + 11));
    }

    static int patternMatching(char[] text, char[] pattern) {
        for (int i = 0; i + pattern.length <= text.length; i++) {
            int j = 0;
            while (j < pattern.length && text[i + j] == pattern[j]) {
                j++;
            }
            if (j == pattern.length) {
                return i;
            }
        }
        return -1;
    }

    /** The Taylor series of the sine. */
    static double sine(double x) {
        if (!(x >= -8.0 && x <= 8.0)) {
            return 0.0;
        }
        double sum = x;
        double term = x;
        int n = 1;
        while ((term > 1e-2 || term < -1e-2) && n < 12) {
            term = -term * x * x / ((2 * n) * (2 * n + 1));
            sum += term;
            n++;
        }
        return sum;
    }

    /** Newton's iteration. */
    static boolean squareRoot(double a) {
        if (!(a >= 0.0 && a < 1e6)) {
            return false;
        }
        double r = a > 1.0 ? a : 1.0;
        double before;
        int n = 0;
        do {
            before = r;
            r = (r + a / r) / 2.0;
            n++;
        } while (before - r > 1e-3 && n < 20);
        return r == 13.0;
    }

    static void stoogeSort(int[] a, int first, int last) {
        if (first < 0 || last > 3 || first > last) {
            return;
        }
        if (a[first] > a[last]) {
            int t = a[first];
            a[first] = a[last];
            a[last] = t;
        }
        if (last - first > 1) {
            int third = (last - first + 1) / 3;
            stoogeSort(a, first, last - third);
            stoogeSort(a, first + third, last);
            stoogeSort(a, first, last - third);
        }
    }
}
