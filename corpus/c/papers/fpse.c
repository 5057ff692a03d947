/* Floating point: the functions of FPSE (STVR 2006), single and double. */

int foo1_float(float x)
{
    float y = 1.0e12f, z = 0.0f;
    if (x > 0.0f)
        z = x + y;
    if (z == y)
        return 4;
    return 0;
}

int foo1_double(double x)
{
    double y = 1.0e12, z = 0.0;
    if (x > 0.0)
        z = x + y;
    if (z == y)
        return 4;
    return 0;
}

/* Infeasible in single precision, not in double. */
int foo2_float(float x)
{
    float y = 1.0e12f, z = 0.0f;
    if (x < 10000.0f)
        z = x + y;
    if (z > y)
        return 4;
    return 0;
}

int foo2_double(double x)
{
    double y = 1.0e12, z = 0.0;
    if (x < 10000.0)
        z = x + y;
    if (z > y)
        return 4;
    return 0;
}

int goldberg1_float(float x)
{
    float t = ((x + 1.0e30f) - 1.0e30f) - 1.0e-30f;
    if (x > 0.0f && t < 0.0f)
        return 1;
    return 0;
}

int goldberg1_double(double x)
{
    double t = ((x + 1.0e30) - 1.0e30) - 1.0e-30;
    if (x > 0.0 && t < 0.0)
        return 1;
    return 0;
}

/* The discriminant vanishes for one value of c in each format. */
int goldberg2_float(float c)
{
    float a = 1.22f, b = 3.34f;
    float delta = b * b - 4.0f * (a * c);
    if (delta == 0.0f)
        return 1;
    if (delta > 0.0f)
        return 2;
    return 0;
}

int goldberg2_double(double c)
{
    double a = 1.22, b = 3.34;
    double delta = b * b - 4.0 * (a * c);
    if (delta == 0.0)
        return 1;
    if (delta > 0.0)
        return 2;
    return 0;
}

int howden_float(float a, float b)
{
    float x = a * b + 2.0f;
    if (x > 100.0f) {
        x = 100.0f - x;
        x = x - 50.0f;
        if (x > 50.0f)
            return 1;
        return 2;
    }
    return 0;
}

int howden_double(double a, double b)
{
    double x = a * b + 2.0;
    if (x > 100.0) {
        x = 100.0 - x;
        x = x - 50.0;
        if (x > 50.0)
            return 1;
        return 2;
    }
    return 0;
}

float power_float(float x, float y)
{
    float z, w;
    if (y < 0)
        w = -y;
    else
        w = y;
    z = 1.0f;
    while (w > 0) {
        z = z * x;
        w = w - 1;
    }
    if (y < 0)
        z = 1.0f / z;
    return z;
}

double power_double(double x, double y)
{
    double z, w;
    if (y < 0)
        w = -y;
    else
        w = y;
    z = 1.0;
    while (w > 0) {
        z = z * x;
        w = w - 1;
    }
    if (y < 0)
        z = 1.0 / z;
    return z;
}

/* Forty turns, then 1 / 10^40: zero in single precision, not in double. */
int power_forty_float(float y)
{
    if (y < -39.0f && y >= -40.0f) {
        if (power_float(10.0f, y) == 0.0f)
            return 1;
        return 2;
    }
    return 0;
}

int power_forty_double(double y)
{
    if (y < -39.0 && y >= -40.0) {
        if (power_double(10.0, y) == 0.0)
            return 1;
        return 2;
    }
    return 0;
}
