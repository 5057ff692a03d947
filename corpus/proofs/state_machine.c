// Three states in a circle; the fourth is never entered.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int choose(void);
void f(int n) {
    int state = 0;
    while (n-- > 0) {
        switch (state) {
        case 0: state = choose() ? 1 : 0; break;
        case 1: state = 2; break;
        case 2: state = PICK(0, n == 3 ? 3 : 0); break;
        default: state = 3; break;
        }
        assert(state != 3);
    }
}
