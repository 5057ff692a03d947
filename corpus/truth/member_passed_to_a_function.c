/* A pointer into a member is passed to a function, which goes on behind the end of the member.
   command: check FILE --entries roots --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8: the pointer leaves its array; _FORTIFY_SOURCE sees it, too
   judge:   gcc -w -O2 -D_FORTIFY_SOURCE=2 -DTRUTH, and the program aborts
*/
#include <string.h>
struct person { char name[8]; int admin; };
#ifdef TRUTH
__attribute__((always_inline))
#endif
static inline void set(char *p, int i) {
#ifdef TRUTH
  strcpy(p + 6, "abc");
#else
  p[i] = 1;
#endif
}
int f(int i) {
  struct person h = {"", 0};
  if (i < 0 || i > 11) return 0;
  set(h.name, i);
  return h.admin;
}
#ifdef TRUTH
int main(void) { return f(9) == 77; }
#endif
