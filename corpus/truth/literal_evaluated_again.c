/* A compound literal is one object from the start of its block to its end, also where a jump comes back to it.
   command: check FILE --timeout 20
   never:   violated
   truth:   both pointers lead to the same object
   judge:   gcc -w -DNDEBUG -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
int f(void)
{
    int *first = 0, *second, n = 0;
again:
    second = &(int){n};
    if (n++ == 0) {
        first = second;
        goto again;
    }
    assert(first == second && *first == 1);
    return first != second || *first != 1;
}
#ifdef TRUTH
int main(void) { if (!f()) abort(); return 0; }
#endif
