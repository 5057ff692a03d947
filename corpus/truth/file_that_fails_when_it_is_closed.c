/* Closing a file fails where the disk is full.
   command: gen FILE --no-exec --timeout 5 --function f
   never:   fclose(s) != 0 is true: infeasible: 
   truth:   it is true for /dev/full
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdio.h>
#include <stdlib.h>
int f(const char *name)
{
    FILE *s = fopen(name, "w");
    if (!s)
        return 0;
    putc('x', s);
    if (fclose(s) != 0)
        return 1;
    return 2;
}
#ifdef TRUTH
int main(void) { if (f("/dev/full") == 1) abort(); return 0; }
#endif
