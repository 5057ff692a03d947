/** Arithmetic on float and double, exactly. */
public class Floats {
    static float addF(float a, float b) { return a + b; }
    static float subF(float a, float b) { return a - b; }
    static float mulF(float a, float b) { return a * b; }
    static float divF(float a, float b) { return a / b; }
    static float remF(float a, float b) { return a % b; }
    static float negF(float a) { return -a; }
    static double add(double a, double b) { return a + b; }
    static double sub(double a, double b) { return a - b; }
    static double mul(double a, double b) { return a * b; }
    static double div(double a, double b) { return a / b; }
    static double rem(double a, double b) { return a % b; }
    static double neg(double a) { return -a; }
    static int compareF(float a, float b) {
        int r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        if (!(a < b)) r |= 64;
        if (!(a > b)) r |= 128;
        if (!(a <= b)) r |= 256;
        if (!(a >= b)) r |= 512;
        return r;
    }
    static int compare(double a, double b) {
        int r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        if (!(a < b)) r |= 64;
        if (!(a > b)) r |= 128;
        if (!(a <= b)) r |= 256;
        if (!(a >= b)) r |= 512;
        return r;
    }
    static boolean isNan(double a) { return a != a; }
    static boolean lessValue(double a, double b) { boolean x = a < b; boolean y = a >= b; return x ^ y; }
    static double constants(int n) {
        switch (n & 7) {
            case 0: return 0.0;
            case 1: return 1.0;
            case 2: return -0.0;
            case 3: return 0.1;
            case 4: return 1e300;
            case 5: return Double.MIN_VALUE;
            case 6: return Double.NaN;
            default: return Double.NEGATIVE_INFINITY;
        }
    }
    static float constantsF(int n) {
        switch (n & 3) {
            case 0: return 0f;
            case 1: return 1f;
            case 2: return 2f;
            default: return 3.5f;
        }
    }
    static double mean(double a, float b, double c) { return (a + b + c) / 3; }
    static double newton(double x) {
        double g = x;
        for (int i = 0; i < 20 && g * g - x > 1e-9; i++) g = (g + x / g) / 2;
        return g;
    }
    static double gcd(double a, double b) {
        for (int i = 0; i < 50 && b > 0; i++) { double t = a % b; a = b; b = t; }
        return a;
    }
}
