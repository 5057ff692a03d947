// Digits are put together: without overflow the number never becomes negative.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(unsigned n, int character) {
    int number = 0, twice, digit;
    for (unsigned k = 0; k < n; k++) {
        if (character > PICK(48, 46) && character < 57) {
            twice = number + number;
            digit = character - 48;
            number = twice + digit;
        }
    }
    assert(number >= 0);
}
