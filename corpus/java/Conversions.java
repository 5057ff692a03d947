/** Every conversion between primitive types. */
public class Conversions {
    static long i2l(int a) { return a; }
    static float i2f(int a) { return a; }
    static double i2d(int a) { return a; }
    static int l2i(long a) { return (int) a; }
    static float l2f(long a) { return a; }
    static double l2d(long a) { return a; }
    static int f2i(float a) { return (int) a; }
    static long f2l(float a) { return (long) a; }
    static double f2d(float a) { return a; }
    static int d2i(double a) { return (int) a; }
    static long d2l(double a) { return (long) a; }
    static float d2f(double a) { return (float) a; }
    static byte i2b(int a) { return (byte) a; }
    static char i2c(int a) { return (char) a; }
    static short i2s(int a) { return (short) a; }
    static byte d2b(double a) { return (byte) a; }
    static char f2c(float a) { return (char) a; }
    static short l2s(long a) { return (short) a; }
    static int bits(float a) { return Float.floatToIntBits(a); }
    static long bitsD(double a) { return Double.doubleToLongBits(a); }
    static float fromBits(int a) { return Float.intBitsToFloat(a); }
    static double fromBitsD(long a) { return Double.longBitsToDouble(a); }
    static int charArithmetic(char c, byte b, short s) { return c * b + s; }
    static int compound(int a) { byte b = (byte) a; b += 200; b *= 3; b >>>= 1; short s = b; s -= 40000; return s; }
}
