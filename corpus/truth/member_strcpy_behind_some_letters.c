/* strcpy writes beyond the member, from the middle of it.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   a fortified program aborts
   judge:   gcc -w -O2 -D_FORTIFY_SOURCE=2 -DTRUTH, and the program aborts
*/
#include <string.h>
struct person { char name[8]; int admin; };
int f(void) { struct person p = {"", 0}; strcpy(p.name + 6, "abc"); return p.admin; }
#ifdef TRUTH
int main(void) { return f() == 77; }
#endif
