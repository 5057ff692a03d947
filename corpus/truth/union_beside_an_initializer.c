/* Bytes of a union beside the member that an initializer names are anything.
   command: check FILE --function f --timeout 20
   never:   assertion (x.i == k): holds
   truth:   an assertion fails
   judge:   clang-19 -w -DTRUTH, and the program aborts
*/
#include <assert.h>
union u { char c; int i; };
int f(unsigned char k)
{
    union u x = { .c = k };
    assert(x.i == k);
    return 0;
}
#ifdef TRUTH
static void dirty(void) { volatile int a[64]; for (int i = 0; i < 64; i++) a[i] = 0x55555555; }
int main(void) { dirty(); return f(1); }
#endif
