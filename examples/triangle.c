/* Classifies a triangle by the lengths of its sides. */

enum kind { SCALENE = 1, ISOSCELES = 2, EQUILATERAL = 3, NOT_A_TRIANGLE = 4 };

enum kind triangle(int i, int j, int k)
{
    int match = 0;

    if (i <= 0 || j <= 0 || k <= 0)
        return NOT_A_TRIANGLE;
    if (i == j)
        match += 1;
    if (i == k)
        match += 2;
    if (j == k)
        match += 3;
    if (match == 0) {
        if ((long)i + j <= k || (long)j + k <= i || (long)i + k <= j)
            return NOT_A_TRIANGLE;
        return SCALENE;
    }
    if (match > 3)
        return EQUILATERAL;
    if (match == 1 && (long)i + j > k)
        return ISOSCELES;
    if (match == 2 && (long)i + k > j)
        return ISOSCELES;
    if (match == 3 && (long)j + k > i)
        return ISOSCELES;
    return NOT_A_TRIANGLE;
}
