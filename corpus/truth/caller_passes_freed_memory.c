/* A function is fine with good pointers, but a caller passes one to memory that was freed.
   command: check FILE --timeout 10 --no-exec
   never:   VERDICT: true
   truth:   get reads freed memory
   judge:   gcc -w -fsanitize=address, and the program aborts
*/
#include <stdlib.h>
struct s { int v; };
int get(struct s *s) { if (!s) return 0; return s->v; }
int call(void) { struct s *p = malloc(sizeof *p); if (!p) return 1; p->v = 1; free(p); return get(p); }
int main(void) { return call(); }
