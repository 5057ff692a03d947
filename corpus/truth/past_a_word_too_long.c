/* scanf reads a word of any length.
   command: gen FILE --no-exec --timeout 10
   never:   b == 0 is false: infeasible
   truth:   it writes into the next variable
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
#include <stdio.h>
static char a[4] = {1}; static int b = 1;
int f(void) { b = 0; if (scanf("%*s %s", a) != 1) return 0; if (b == 0) return 0; return 1; }
#ifdef TRUTH
int main(void) { FILE *t = tmpfile(); if (!t) return 0; fputs("one two-three-four-five-six\n", t); rewind(t); stdin = t; if (f()) abort(); return 0; }
#endif
