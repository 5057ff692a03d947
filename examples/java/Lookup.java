/** Small methods with arrays, strings and boxed values. */
public class Lookup {
    public static int clamp(int value, int low, int high) {
        if (value < low) {
            return low;
        }
        return value > high ? high : value;
    }

    public static int find(int[] values, int key) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] == key) {
                return i;
            }
        }
        return -1;
    }

    public static boolean isHello(String text) {
        return text != null && text.length() == 5 && text.charAt(0) == 'h' && text.charAt(4) == 'o';
    }

    public static String grade(Integer points) {
        if (points >= 90) {
            return "A";
        }
        return points >= 50 ? "B" : "C";
    }
}
