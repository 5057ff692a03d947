/* A folder can be opened as a file, and not read.
   command: gen FILE --no-exec --timeout 5 --function f
   never:   feof(s) is false: infeasible: 
   truth:   it is false for a folder
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdio.h>
#include <stdlib.h>
int f(const char *name)
{
    FILE *s = fopen(name, "r");
    if (!s)
        return 0;
    if (getc(s) == EOF) {
        if (feof(s))
            return 1;
        return 2;
    }
    return 3;
}
#ifdef TRUTH
int main(void) { if (f("/") == 2) abort(); return 0; }
#endif
