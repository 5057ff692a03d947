/* One less than no arguments is a large number.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (n < 1000000): holds
   truth:   C11 5.1.2.2.1 allows argc == 0
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
#ifdef TRUTH
#define main program
#endif
int main(int argc, char **argv) { unsigned n = (unsigned)argc - 1u; if (argc > 5) return 0; assert(n < 1000000); return 0; }
#ifdef TRUTH
#undef main
int main(void) { char *none[] = { 0 }; if (program(0, none)) abort(); return 0; }
#endif
