/* Functions with contracts, called as they ask for and otherwise. */

static int limit = 100;

/* requires divisor > 0 and value within the limit */
int scaled(int value, int divisor)
{
    return value / divisor;
}

/* requires three elements between 0 and 9 */
int digits(const int *a)
{
    return a[0] * 100 + a[1] * 10 + a[2];
}

/* Nobody defines these; glassbox.toml says what they give and take. */
int sensor(int channel);
struct range {
    int low, high;
};
struct range window(int channel);

/* The second call may be wrong. */
int calls_scaled(int x)
{
    if (x < 0 || x > 50)
        return 0;
    int first = scaled(x, 3);
    return first + scaled(x, x - 7);
}

/* Holds for all turns, by proof. */
int calls_in_a_loop(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum ^= scaled(limit > 0 ? limit / 2 : limit, i + 1);
    return sum;
}

int calls_digits(int x)
{
    int good[4] = {1, 2, 3, 40};
    int bad[3] = {1, x & 15, 3};
    int small[2] = {1, 2};
    int sum = digits(good);
    if (x > 100)
        sum += digits(bad);
    if (x < -100)
        sum += digits(small);
    return sum;
}

/* The sensor promises 1..1023 on channels 0..3. */
int reads(int channel)
{
    if (channel < 0 || channel > 3)
        return 0;
    return 5000 / sensor(channel);
}

int reads_any(int channel)
{
    return sensor(channel);
}

int width(int channel)
{
    struct range range = window(channel);
    return range.high - range.low;
}
