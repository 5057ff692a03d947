/* rand, random and their seeds: glibc's additive feedback generator of 31 words. */
static int __lib_random_words[31];
static int __lib_random_front = 3;
static int __lib_random_rear;
static int __lib_random_is_seeded;

//@ random_next
static int __lib_random_next(void)
{
    unsigned int sum = (unsigned int)__lib_random_words[__lib_random_front]
                     + (unsigned int)__lib_random_words[__lib_random_rear];
    __lib_random_words[__lib_random_front] = (int)sum;
    __lib_random_front = __lib_random_front == 30 ? 0 : __lib_random_front + 1;
    __lib_random_rear = __lib_random_rear == 30 ? 0 : __lib_random_rear + 1;
    return (int)(sum >> 1);
}

//@ srandom
void __lib_srandom(unsigned int seed)
{
    int word = (int)(seed == 0 ? 1 : seed);
    __lib_random_words[0] = word;
    for (int i = 1; i < 31; i++) {
        long high = word / 127773;
        long low = word % 127773;
        long next = 16807 * low - 2836 * high;
        word = (int)(next < 0 ? next + 2147483647 : next);
        __lib_random_words[i] = word;
    }
    __lib_random_front = 3;
    __lib_random_rear = 0;
    __lib_random_is_seeded = 1;
    for (int i = 0; i < 310; i++)
        __lib_random_next();
}

//@ srand
void __lib_srand(unsigned int seed)
{
    __lib_srandom(seed);
}

//@ random
long __lib_random(void)
{
    if (!__lib_random_is_seeded)
        __lib_srandom(1);
    return __lib_random_next();
}

//@ rand
int __lib_rand(void)
{
    return (int)__lib_random();
}

//@ rand_r
int __lib_rand_r(unsigned int *seed)
{
    unsigned int next = *seed;
    next = next * 1103515245 + 12345;
    int result = (int)(next / 65536) % 2048;
    next = next * 1103515245 + 12345;
    result <<= 10;
    result ^= (int)(next / 65536) % 1024;
    next = next * 1103515245 + 12345;
    result <<= 10;
    result ^= (int)(next / 65536) % 1024;
    *seed = next;
    return result;
}
