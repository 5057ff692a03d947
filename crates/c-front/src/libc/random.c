/* rand_r, whose state is its argument. */

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
