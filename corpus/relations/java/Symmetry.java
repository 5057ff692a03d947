/* Programs of the papers on symmetric testing (ISSRE 2003, QSIC 2006), each with a twin that breaks its symmetry. Arrays
 * that are only read go along with the change ("natural"). */
final class Symmetry {
    static int mid(int x, int y, int z) {
        int mid = z;
        if (y < z) {
            if (x < y) mid = y;
            else if (x < z) mid = x;
        } else {
            if (x > y) mid = y;
            else if (x > z) mid = x;
        }
        return mid;
    }

    static int mid1(int x, int y, int z) {
        int mid = z;
        if (y < z) {
            if (x < y) mid = y;
            else if (x < z) mid = x;
        } else {
            if (x > y) mid = y;
        }
        return mid;
    }

    static void sort(int[] a) {
        for (int i = 1; i < a.length; i++) {
            int moved = a[i], j = i;
            while (j > 0 && a[j - 1] > moved) {
                a[j] = a[j - 1];
                j--;
            }
            a[j] = moved;
        }
    }

    /* Not sorted, but a permutation all the same. */
    static void sortNothing(int[] a) {
        int first = a[0];
        a[0] = first;
    }

    static void copy(int[] to, int[] from) {
        for (int i = 0; i < 3; i++) to[i] = from[i];
    }

    static void copy1(int[] to, int[] from) {
        for (int i = 0; i < 2; i++) to[i] = from[i];
    }

    static boolean replaceAll(int[] a, int before, int after) {
        boolean found = false;
        for (int i = 0; i < a.length; i++)
            if (a[i] == before) {
                a[i] = after;
                found = true;
            }
        return found;
    }

    static boolean replaceFirst(int[] a, int before, int after) {
        for (int i = 0; i < a.length; i++)
            if (a[i] == before) {
                a[i] = after;
                return true;
            }
        return false;
    }

    static short getIndex0(short[] a) {
        for (short i = 0; i < a.length; i++)
            if (a[i] == 0) return i;
        throw new IllegalArgumentException();
    }

    static short getIndex0Late(short[] a) {
        for (short i = 1; i < a.length; i++)
            if (a[i] == 0) return i;
        return 0;
    }

    static short arrayFindByte(byte[] src, byte pattern) {
        for (short i = 0; i < src.length; i++)
            if (src[i] == pattern) return i;
        return -1;
    }

    static short arrayFindByte1(byte[] src, byte pattern) {
        for (short i = 0; i < src.length; i++)
            if (src[i] == pattern) return (short) (i + 1);
        return -1;
    }

    static void max3(byte[] a, byte[] b) {
        b[0] = b[1] = b[2] = Byte.MIN_VALUE;
        for (int i = 0; i < a.length; i++) {
            if (a[i] > b[0]) { b[2] = b[1]; b[1] = b[0]; b[0] = a[i]; }
            else if (a[i] > b[1]) { b[2] = b[1]; b[1] = a[i]; }
            else if (a[i] > b[2]) b[2] = a[i];
        }
    }

    static void max3Forgets(byte[] a, byte[] b) {
        b[0] = b[1] = b[2] = Byte.MIN_VALUE;
        for (int i = 0; i < a.length; i++) {
            if (a[i] > b[0]) b[0] = a[i];
            else if (a[i] > b[1]) b[1] = a[i];
            else if (a[i] > b[2]) b[2] = a[i];
        }
    }

    static int twice(int x) {
        return x + x;
    }

    static int twiceOld(int x) {
        return x << 1;
    }

    static int twiceWrong(int x) {
        return x > 100 ? x : x << 1;
    }
}
