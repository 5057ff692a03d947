/* strcpy writes beyond the member, through a pointer that was moved inside of it.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   a fortified program aborts
   judge:   gcc -w -O2 -D_FORTIFY_SOURCE=2 -DTRUTH, and the program aborts
*/
#include <string.h>
struct person { char name[8]; int admin; };
int f(void) { struct person h = {"", 0}; char *p = h.name; p += 6; strcpy(p, "abc"); return h.admin; }
#ifdef TRUTH
int main(void) { return f() == 77; }
#endif
