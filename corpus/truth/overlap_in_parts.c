/* Without effective types, structures of one type may overlap in parts.
   command: gen FILE --no-exec --timeout 10 -- -fno-strict-aliasing
   never:   q->b != 2 is true: infeasible
   truth:   the first member of one is the second of the other
   judge:   gcc -w -O0 -fno-strict-aliasing -DTRUTH, and the program aborts
*/
#include <stdlib.h>
struct s { int a, b, c; };
int f(struct s *p, struct s *q) { p->a = 1; q->b = 2; p->a = 3; if (q->b != 2 && p != q) return 1; return 0; }
#ifdef TRUTH
int main(void) { int m[8] = {0}; if (f((struct s *)(m + 1), (struct s *)m)) abort(); return 0; }
#endif
