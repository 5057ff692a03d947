// The sum of positive numbers is at least their count.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int choose(void);
void f(int n) {
    int sum = 0, count = 0;
    while (count < n && count < 1000) {
        int x = choose();
        if (x < PICK(1, 0) || x > 1000)
            continue;
        sum += x;
        count++;
    }
    assert(sum >= count);
}
