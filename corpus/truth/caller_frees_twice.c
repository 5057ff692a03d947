/* A function frees what it is given, and a caller calls it twice.
   command: check FILE --timeout 10 --no-exec
   never:   VERDICT: true
   truth:   the memory is freed twice
   judge:   gcc -w -fsanitize=address, and the program aborts
*/
#include <stdlib.h>
struct s { int v; };
void rel(struct s *s) { free(s); }
int main(void) { struct s *p = malloc(sizeof *p); if (!p) return 1; rel(p); rel(p); return 0; }
