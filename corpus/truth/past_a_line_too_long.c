/* fgets is told that there is more room.
   command: gen FILE --no-exec --timeout 10
   never:   b == 0 is false: infeasible
   truth:   it writes into the next variable
   judge:   gcc -w -O0 -fno-stack-protector -DTRUTH, and the program aborts
*/
#include <stdlib.h>
#include <stdio.h>
int f(int n) { int b = 0; char a[4]; if (!fgets(a, n, stdin)) return 0; if (b == 0) return 0; return 1; }
#ifdef TRUTH
int main(void) { FILE *t = tmpfile(); if (!t) return 0; fputs("one two-three-four-five-six\n", t); rewind(t); stdin = t; if (f(9)) abort(); return 0; }
#endif
