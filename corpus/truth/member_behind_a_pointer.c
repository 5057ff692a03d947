/* strcpy writes beyond a member behind a pointer.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   a fortified program aborts
   judge:   gcc -w -O2 -D_FORTIFY_SOURCE=2 -DTRUTH, and the program aborts
*/
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
struct person { char name[4]; int admin; };
static struct person g;
int f(int n) { struct person *p = &g; strcpy(p->name, n > 3 ? "abcdef" : "ab"); return p->admin; }
#ifdef TRUTH
int main(void) { volatile int n = 4; return f(n) == 77; }
#endif
