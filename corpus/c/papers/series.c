/* Numerical loops whose last goals need a whole chain of float operations to come out right. */

int taylor_sine(double x) {
    double s = x, t = x;
    int n = 1;
    if (x < -10.0 || x > 10.0) return -1;
    while (t > 1e-9 || t < -1e-9) {
        t = -t * x * x / ((2 * n) * (2 * n + 1));
        s += t;
        n++;
    }
    if (s > 0.999 && x > 7) return 1;
    return 0;
}
int log_series(double x) {
    double s = 0.0, p = x;
    int k;
    if (!(x > -1.0 && x < 1.0)) return -1;
    for (k = 1; k <= 30; k++) {
        s += (k % 2 ? p : -p) / k;
        p *= x;
    }
    if (s > 0.40 && s < 0.41) return 1;
    return 0;
}
double power_loop(double x, int y) {
    double z = 1.0;
    int n = y < 0 ? -y : y;
    while (n != 0) { z *= x; n--; }
    if (y < 0) z = 1.0 / z;
    if (z == 1e-40) return -1.0;
    return z;
}
int power_ten(int y) {
    double z = 1.0;
    int n = y;
    if (y < -100 || y > 100) return 0;
    if (n < 0) n = -n;
    while (n != 0) { z *= 10.0; n--; }
    if (y < 0) z = 1.0 / z;
    if (z < 1.5e-40 && z > 0.5e-40) return 1;
    return 2;
}
