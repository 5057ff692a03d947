/* Atexit with a pointer out of a table: the assertion is proved.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (g==0): holds
   truth:   the assertion in the handler fails at exit
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int g;
static void h0(void) { }
static void h(void) { assert(g==0); }
static void (*fp[2])(void) = {h0,h};
int main(void) { h(); int k = __VERIFIER_nondet_int(); atexit(fp[k&1]); g = 1; return 0; }
#ifdef TRUTH
int __VERIFIER_nondet_int(void) { return 1; }
#endif
