/** Small examples of the thesis on JTestCraft. */
public class JTestCraft {
    enum Category {
        UNDERWEIGHT,
        NORMAL,
        OVERWEIGHT
    }

    /** The category of a body mass index; no weight is over 600 kg and no one is taller than 300 cm. */
    static Category bmi(int centimeters, int kilograms) {
        if (centimeters <= 0 || centimeters > 300 || kilograms <= 0 || kilograms > 600) {
            throw new IllegalArgumentException();
        }
        int tenths = kilograms * 100000 / (centimeters * centimeters);
        if (tenths < 185) {
            return Category.UNDERWEIGHT;
        }
        if (tenths <= 250) {
            return Category.NORMAL;
        }
        return Category.OVERWEIGHT;
    }

    static int clamp(int value, int low, int high) {
        if (value < low) {
            return low;
        }
        if (value > high) {
            return high;
        }
        return value;
    }

    static int lookup(int[] table, int index) {
        if (table[index] == 5) {
            return 1;
        }
        return 0;
    }
}
