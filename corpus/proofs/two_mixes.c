// Either one or two of each are taken: together three a turn.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n, unsigned char kinds) {
    int i = 0, red = 0, blue = 0;
    if (n < 0)
        return;
    while (i < n) {
        i++;
        if (kinds >> (i % 8) & 1) {
            red += 1;
            blue += 2;
        } else {
            red += 2;
            blue += PICK(1, 2);
        }
    }
    assert(3 * n == red + blue);
}
