/* main is called with no arguments.
   command: gen FILE --no-exec --timeout 10
   never:   argc < 1 is true: infeasible
   truth:   C11 5.1.2.2.1 allows argc == 0
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
#ifdef TRUTH
#define main program
#endif
int main(int argc, char **argv) { if (argc < 1) return 1; return argv[0][0] == '-'; }
#ifdef TRUTH
#undef main
int main(void) { char *none[] = { 0 }; if (program(0, none)) abort(); return 0; }
#endif
