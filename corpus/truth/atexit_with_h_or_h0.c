/* Atexit with h or h0: "every path was followed or refuted".
   command: check FILE --assertions-only --timeout 20
   never:   assertion (g==0): holds: every path
   truth:   the assertion in the handler fails at exit
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int g;
static void h0(void) { }
static void h(void) { assert(g==0); }
int main(void) { h(); int k = __VERIFIER_nondet_int(); void (*p)(void) = k ? h : h0; atexit(p); g = 1; return 0; }
#ifdef TRUTH
int __VERIFIER_nondet_int(void) { return 1; }
#endif
