/** Euclid's algorithm by subtraction on doubles, as GlassTT's authors use it. */
public class GcdDouble {
    public static double gcd(double a, double b) {
        while (a != b) {
            if (a > b) {
                a = a - b;
            } else {
                b = b - a;
            }
        }
        return a;
    }
}
