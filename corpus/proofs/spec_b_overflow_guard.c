// docs/papers/loops.md, rule E6: the sum with 2^31 is smaller only for the upper half.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(unsigned buf) {
    if (buf + 2147483648u < buf)
        assert(buf >= PICK(2147483648u, 2147483649u));
}
