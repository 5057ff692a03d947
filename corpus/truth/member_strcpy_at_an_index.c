/* strcpy writes beyond the member, from an element of it that an input chooses.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   a fortified program aborts
   judge:   gcc -w -O2 -D_FORTIFY_SOURCE=3 -DTRUTH, and the program aborts
*/
#include <string.h>
struct person { char name[8]; int admin; };
int f(unsigned k) { struct person p = {"", 0}; if (k > 8) return 0; strcpy(&p.name[k], "abc"); return p.admin; }
#ifdef TRUTH
int main(void) { volatile unsigned k = 6; return f(k) == 77; }
#endif
