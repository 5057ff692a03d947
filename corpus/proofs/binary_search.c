// Low and high stay in order and in the array.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int f(int key) {
    static const int t[16] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
    int low = 0, high = 15;
    while (low <= high) {
        int mid = low + (high - low) / 2;
        assert(mid >= 0 && mid <= PICK(15, 14));
        if (t[mid] == key)
            return mid;
        if (t[mid] < key)
            low = mid + 1;
        else
            high = mid - 1;
    }
    return -1;
}
