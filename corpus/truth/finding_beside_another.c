/* Both operands were never set; that of the one is known does not say that the other was.
   command: check FILE --timeout 20
   never:   (`x`: the value has been set): unreachable:
   truth:   both are read
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static void dirty(void) { volatile int a[64]; for (int i = 0; i < 64; i++) a[i] = 77; }
static int f(void)
{
    int x;
    int a[2];
    a[0] = 1;
    return x + a[1];
}
int main(void) { dirty(); assert(f() == 123456); return 0; }
