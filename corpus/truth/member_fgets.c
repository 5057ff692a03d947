/* fgets reads a line that is longer than the member that it is given.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   a fortified program aborts
   judge:   gcc -w -O2 -D_FORTIFY_SOURCE=2 -DTRUTH, and the program aborts
*/
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
struct person { char name[4]; int admin; };
int f(void) { struct person p = {"", 0}; if (!fgets(p.name, 8, stdin)) return 0; return p.admin; }
#ifdef TRUTH
int main(void) { FILE *t = tmpfile(); if (!t) return 0; fputs("one two-three-four-five-six\n", t); rewind(t); stdin = t; return f() == 77; }
#endif
