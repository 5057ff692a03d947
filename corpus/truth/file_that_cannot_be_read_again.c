/* What is read again need not be the same: the stream may be a pipe, which does not go back.
   command: gen FILE --no-exec --timeout 5 --function f
   never:   a == b is false: infeasible: 
   truth:   it is false for a pipe
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdio.h>
#include <stdlib.h>
int f(FILE *s)
{
    int a = getc(s), b;
    if (a == EOF)
        return 0;
    rewind(s);
    b = getc(s);
    if (a == b)
        return 1;
    return 2;
}
#ifdef TRUTH
int main(void) { FILE *s = popen("echo xy", "r"); setvbuf(s, NULL, _IONBF, 0); if (f(s) == 2) abort(); return 0; }
#endif
