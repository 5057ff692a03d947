/* The sixteen algorithms of GlassTT (WFLP 2004), in C. */

static int ack(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ack(m - 1, 1);
    return ack(m - 1, ack(m, n - 1));
}

int ackermann(int m, int n)
{
    int value;
    if (m < 0 || n < 0 || m > 2 || n > 3)
        return -1;
    value = ack(m, n);
    if (value == 7)
        return 1;
    return 0;
}

int binary_search(const int *a, int n, int key)
{
    int lo = 0, hi = n - 1;
    while (lo <= hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] == key)
            return mid;
        if (a[mid] < key)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    return -1;
}

void bubble_sort(int a[5])
{
    int i, is_sorted = 0;
    while (!is_sorted) {
        is_sorted = 1;
        for (i = 0; i < 4; i++)
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
                is_sorted = 0;
            }
    }
}

int bresenham(int x0, int y0, int x1, int y1)
{
    int dx, dy, error, y = y0, n = 0, x;
    if (x0 < 0 || y0 < 0 || x1 > 20 || y1 > 20)
        return -1;
    dx = x1 - x0;
    dy = y1 - y0;
    if (dx < dy || dy < 0)
        return -2;
    error = 2 * dy - dx;
    for (x = x0; x <= x1; x++) {
        n++;
        if (error > 0) {
            y++;
            error -= 2 * dx;
        }
        error += 2 * dy;
    }
    return y == y1 ? n : 0;
}

long factorial(int n)
{
    long product = 1;
    int i;
    if (n < 0 || n > 20)
        return -1;
    for (i = 1; i <= n; i++)
        product *= i;
    if (product == 5040)
        return 0;
    return product;
}

/* Three equations; -1 when a pivot is zero. */
int gaussian_elimination(double a[3][4])
{
    int i, j, k;
    for (i = 0; i < 3; i++) {
        int pivot = i;
        for (j = i; j < 3; j++)
            if (a[j][i] != 0.0) {
                pivot = j;
                break;
            }
        if (a[pivot][i] == 0.0)
            return -1;
        if (pivot != i)
            for (k = 0; k < 4; k++) {
                double t = a[i][k];
                a[i][k] = a[pivot][k];
                a[pivot][k] = t;
            }
        for (j = i + 1; j < 3; j++) {
            double factor = a[j][i] / a[i][i];
            for (k = i; k < 4; k++)
                a[j][k] -= factor * a[i][k];
        }
    }
    return 0;
}

double gcd_double(double a, double b)
{
    while (a > 0) {
        if (a < b) {
            double h = a;
            a = b;
            b = h;
        }
        a = __builtin_fmod(a, b);
    }
    return b;
}

int histogram(const unsigned char *values, int n, int counts[4])
{
    int i, most = 0;
    for (i = 0; i < 4; i++)
        counts[i] = 0;
    for (i = 0; i < n; i++) {
        if (values[i] < 64)
            counts[0]++;
        else if (values[i] < 128)
            counts[1]++;
        else if (values[i] < 192)
            counts[2]++;
        else
            counts[3]++;
    }
    for (i = 1; i < 4; i++)
        if (counts[i] > counts[most])
            most = i;
    return most;
}

/* Distances from node 0 of four; 1000 means none. */
int dijkstra(const unsigned char w[4][4], int d[4])
{
    int done[4] = {0}, round, v;
    for (v = 0; v < 4; v++)
        d[v] = 1000;
    d[0] = 0;
    for (round = 0; round < 4; round++) {
        int u = -1;
        for (v = 0; v < 4; v++)
            if (!done[v] && (u < 0 || d[v] < d[u]))
                u = v;
        done[u] = 1;
        for (v = 0; v < 4; v++)
            if (w[u][v] != 0 && d[u] + w[u][v] < d[v])
                d[v] = d[u] + w[u][v];
    }
    return d[3] == 17;
}

/* log(1 + x) by its series. */
int logarithm(double x)
{
    double sum = 0.0, term = x;
    int n = 1;
    if (x <= -1.0 || x > 1.0 || x != x)
        return -1;
    while ((term > 1e-3 || term < -1e-3) && n < 8) {
        sum += term / n;
        term *= -x;
        n++;
    }
    if (sum > 0.40 && sum < 0.41)
        return 1;
    return 0;
}

int matrix_multiplication(const signed char a[2][2], const signed char b[2][2], int c[2][2])
{
    int i, j, k;
    for (i = 0; i < 2; i++)
        for (j = 0; j < 2; j++) {
            c[i][j] = 0;
            for (k = 0; k < 2; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
    if (c[0][0] == 1 && c[0][1] == 0 && c[1][0] == 0 && c[1][1] == 1)
        return 1;
    return 0;
}

int mccarthy(int n)
{
    if (n > 100)
        return n - 10;
    if (n < 90)
        return 0;
    return mccarthy(mccarthy(n + 11));
}

int pattern_matching(const char *text, const char *pattern)
{
    int i, j;
    for (i = 0; text[i]; i++) {
        for (j = 0; pattern[j]; j++)
            if (text[i + j] != pattern[j])
                break;
        if (!pattern[j])
            return i;
    }
    return -1;
}

/* The Taylor series of the sine. */
int sine(double x)
{
    double sum = x, term = x;
    int n = 1;
    if (!(x >= -8.0 && x <= 8.0))
        return -1;
    while ((term > 1e-2 || term < -1e-2) && n < 12) {
        term = -term * x * x / ((2 * n) * (2 * n + 1));
        sum += term;
        n++;
    }
    if (sum > 0.999 && x > 7)
        return 1;
    return 0;
}

/* Newton's iteration. */
int square_root(double a)
{
    double r, before;
    int n = 0;
    if (!(a >= 0.0 && a < 1e6))
        return -1;
    r = a > 1.0 ? a : 1.0;
    do {
        before = r;
        r = (r + a / r) / 2.0;
        n++;
    } while (before - r > 1e-3 && n < 20);
    if (r == 13.0)
        return 1;
    return 0;
}

void stooge_sort(int *a, int first, int last)
{
    if (first < 0 || last > 3 || first > last)
        return;
    if (a[first] > a[last]) {
        int t = a[first];
        a[first] = a[last];
        a[last] = t;
    }
    if (last - first > 1) {
        int third = (last - first + 1) / 3;
        stooge_sort(a, first, last - third);
        stooge_sort(a, first + third, last);
        stooge_sort(a, first, last - third);
    }
}
