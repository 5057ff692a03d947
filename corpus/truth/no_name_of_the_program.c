/* The name of the program is not there.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (argv[0] != 0): holds
   truth:   C11 5.1.2.2.1 allows argc == 0
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
#ifdef TRUTH
#define main program
#endif
int main(int argc, char **argv) { assert(argv[0] != 0); return 0; }
#ifdef TRUTH
#undef main
int main(void) { char *none[] = { 0 }; if (program(0, none)) abort(); return 0; }
#endif
