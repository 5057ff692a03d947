/* A pointer is moved out of the member it was formed from, and used there.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8: the pointer leaves its array; _FORTIFY_SOURCE sees it, too
   judge:   gcc -w -O2 -D_FORTIFY_SOURCE=2 -DTRUTH, and the program aborts
*/
#include <string.h>
struct person { char name[8]; int admin; };
int f(void) {
  struct person h = {"", 0};
  char *p = h.name;
  p += 6;
#ifdef TRUTH
  strcpy(p, "abc");
#else
  p[2] = 1;
#endif
  return h.admin;
}
#ifdef TRUTH
int main(void) { return f() == 77; }
#endif
