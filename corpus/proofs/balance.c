// Deposits and withdrawals: the balance is never negative.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int choose(void);
void f(int n) {
    int balance = 0;
    for (int i = 0; i < n; i++) {
        int amount = choose();
        if (amount < 0 || amount > 100)
            continue;
        if (balance < 1000000)
            balance += amount;
        if (balance >= PICK(100, 50))
            balance -= 100;
        assert(balance >= 0);
    }
}
