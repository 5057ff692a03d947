/* A read that gives nothing may have failed.
   command: gen FILE --no-exec --timeout 5 --function f
   never:   feof(stdin) is false: infeasible
   truth:   folders cannot be read
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdio.h>
#include <stdlib.h>
int f(void) { int c = getchar(); if (c == EOF && !feof(stdin)) return 1; return 0; }
#ifdef TRUTH
int main(void) { freopen("/", "r", stdin); if (f() == 1) abort(); return 0; }
#endif
