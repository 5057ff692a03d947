/* rand, random and their seeds: glibc's additive feedback generator of 31 words. State is static inside
   functions, as in every model: no test can set it, so it is no input. */

//@ random_state
struct __lib_generator {
    int words[31];
    int front;
    int rear;
    int is_seeded;
};

static struct __lib_generator *__lib_random_state(void)
{
    static struct __lib_generator state;
    return &state;
}

//@ random_next
static int __lib_random_next(struct __lib_generator *r)
{
    unsigned int sum = (unsigned int)r->words[r->front] + (unsigned int)r->words[r->rear];
    r->words[r->front] = (int)sum;
    r->front = r->front == 30 ? 0 : r->front + 1;
    r->rear = r->rear == 30 ? 0 : r->rear + 1;
    return (int)(sum >> 1);
}

//@ srandom
void __lib_srandom(unsigned int seed)
{
    struct __lib_generator *r = __lib_random_state();
    int word = (int)(seed == 0 ? 1 : seed);
    r->words[0] = word;
    for (int i = 1; i < 31; i++) {
        long high = word / 127773;
        long low = word % 127773;
        long next = 16807 * low - 2836 * high;
        word = (int)(next < 0 ? next + 2147483647 : next);
        r->words[i] = word;
    }
    r->front = 3;
    r->rear = 0;
    r->is_seeded = 1;
    for (int i = 0; i < 310; i++)
        __lib_random_next(r);
}

//@ srand
void __lib_srand(unsigned int seed)
{
    __lib_srandom(seed);
}

//@ random
long __lib_random(void)
{
    struct __lib_generator *r = __lib_random_state();
    if (!r->is_seeded)
        __lib_srandom(1);
    return __lib_random_next(r);
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
