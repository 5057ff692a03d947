/* A member of a structure and a pointer to its type of the other sign may be the same object.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (s->n == 1): holds
   truth:   the assertion fails for f(&s, (long *)&s.n)
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct s { int k; unsigned long n; };
void f(struct s *s, long *p) { if (!s || !p) return; s->n = 1; *p = 2; assert(s->n == 1); }
#ifdef TRUTH
int main(void) { struct s s; f(&s, (long *)&s.n); return 0; }
#endif
