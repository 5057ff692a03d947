/* Sigaction: the handler in a struct.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (g==0): holds
   truth:   the assertion in the handler fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <signal.h>
extern int __VERIFIER_nondet_int(void);
static int g;
static void h(int s) { assert(g==0); }
int main(void) {
  h(0);
  struct sigaction sa = {0}; sa.sa_handler = h;
  sigaction(10, &sa, 0);
  g = __VERIFIER_nondet_int();
  raise(10);
  return 0;
}
#ifdef TRUTH
int __VERIFIER_nondet_int(void) { return 1; }
#endif
