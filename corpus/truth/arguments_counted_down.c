/* Arguments are counted down from one less than none.
   command: gen FILE --no-exec --timeout 10
   never:   argc < 0 is true: infeasible
   truth:   C11 5.1.2.2.1 allows argc == 0
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
#ifdef TRUTH
#define main program
#endif
int main(int argc, char **argv) { argc--; if (argc < 0) return 1; return 0; }
#ifdef TRUTH
#undef main
int main(void) { char *none[] = { 0 }; if (program(0, none)) abort(); return 0; }
#endif
