/* Getcontext returns twice.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (x==1): holds
   truth:   assertion fails after setcontext
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <ucontext.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  static int done; ucontext_t c; int x = 1;
  getcontext(&c);
  assert(x==1);
  x = 2;
  if (!done) { done = 1; setcontext(&c); }
  return __VERIFIER_nondet_int();
}
#ifdef TRUTH
int __VERIFIER_nondet_int(void) { return 0; }
#endif
