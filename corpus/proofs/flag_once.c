// A flag that is set when the counter passes ten.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    int seen = 0, i = 0;
    while (i < n) {
        if (i >= 10)
            seen = 1;
        i++;
    }
    if (seen)
        assert(n > PICK(10, 11));
}
