// docs/papers/loops.md, rule E8: positive numbers whose wrapped sum is above -2 did not wrap.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(unsigned x, unsigned y) {
    if (x < 1 || x > 2147483647u || y < 1 || y > 2147483647u)
        return;
    unsigned z = x + y;
    if ((z ^ 2147483648u) > ((0u - 2u) ^ 2147483648u))
        assert(z >= 2 && z <= PICK(2147483647u, 2147483646u) && x <= 2147483646u);
}
