/** Body mass index: nested decisions over a computed value, two of which can never be reached. */
public class Bmi {
    public static String weightCategory(int weightKg, int heightCm) {
        if (weightKg <= 0 || weightKg > 500 || heightCm < 50 || heightCm > 250) {
            throw new IllegalArgumentException("out of range");
        }
        int bmi = weightKg * 10_000 / (heightCm * heightCm);
        if (bmi < 18) {
            return "underweight";
        }
        if (bmi < 25) {
            return "normal";
        }
        if (bmi < 18) {
            return "impossible";
        }
        return bmi < 30 ? "overweight" : "obese";
    }
}
