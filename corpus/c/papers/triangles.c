/* The triangle programs: trityp (DeMillo and Offutt; INKA, JAUT), tritype (TAUPO), trityp with
 * conditional aliasing (INKA's pointers), and clamp, gcd and the body-mass index (JTestCraft). */

int trityp(int i, int j, int k)
{
    int t;
    if (i == 0 || j == 0 || k == 0)
        t = 4;
    else {
        t = 0;
        if (i == j)
            t += 1;
        if (i == k)
            t += 2;
        if (j == k)
            t += 3;
        if (t == 0) {
            if (i + j <= k || j + k <= i || i + k <= j)
                t = 4;
            else
                t = 1;
        } else if (t > 3)
            t = 3;
        else if (t == 1 && i + j > k)
            t = 2;
        else if (t == 2 && i + k > j)
            t = 2;
        else if (t == 3 && j + k > i)
            t = 2;
        else
            t = 4;
    }
    return t;
}

/* Sides of 16 bits cannot overflow an int. */
int tritype(unsigned short i, unsigned short j, unsigned short k)
{
    int t;
    if (i == 0 || j == 0 || k == 0)
        return 4;
    t = (i == j) + 2 * (i == k) + 3 * (j == k);
    if (t == 0)
        return i + j <= k || j + k <= i || i + k <= j ? 4 : 1;
    if (t > 3)
        return 3;
    if ((t == 1 && i + j > k) || (t == 2 && i + k > j) || (t == 3 && j + k > i))
        return 2;
    return 4;
}

/* A pointer to one of the sides: equal sides are made equal through it. */
int trityp_alias(int i, int j, int k)
{
    int t = 0, *p = &i;
    if (i == 0 || j == 0 || k == 0)
        return 4;
    if (i == j) {
        t += 1;
        p = &j;
    }
    if (i == k)
        t += 2;
    if (*p == k)
        t += 3;
    if (t == 0) {
        *p = *p + 0;
        return i + j <= k || j + k <= i || i + k <= j ? 4 : 1;
    }
    if (t > 3) {
        *p = i;
        if (i == j && j == k)
            return 3;
        return 5;
    }
    if (t == 1 && i + *p > k)
        return 2;
    if (t == 2 && i + k > j)
        return 2;
    if (t == 3 && j + k > i)
        return 2;
    return 4;
}

int weight_category(double mass, double length)
{
    double bmi;
    if (!(mass > 0.0) || !(length > 0.0))
        return -1;
    bmi = mass / (length * length);
    if (bmi < 18.5)
        return 0;
    else if (bmi < 25.0)
        return 1;
    else
        return 2;
}

int clamp(int x, int min, int max)
{
    if (x < min)
        return min;
    else if (x > max)
        return max;
    else
        return x;
}

int gcd_recursive(int a, int b)
{
    if (b == 0)
        return a;
    else
        return gcd_recursive(b, a % b);
}
