// An unsigned counter wraps around and never passes its type.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(unsigned char c) {
    unsigned int i = 0;
    unsigned char x = c;
    while (i < 300) {
        x++;
        i++;
        assert(x <= PICK(255, 254));
    }
}
