/* strncpy fills more than the member that it is given.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   a fortified program aborts
   judge:   gcc -w -O2 -D_FORTIFY_SOURCE=2 -DTRUTH, and the program aborts
*/
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
struct person { char name[4]; int admin; };
int f(int n) { struct person p = {"", 0}; strncpy(p.name, "ab", n & 7); return p.admin; }
#ifdef TRUTH
int main(void) { volatile int n = 7; return f(n) == 77; }
#endif
