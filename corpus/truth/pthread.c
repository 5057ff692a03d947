/* Pthread: an error in a thread is not looked at, VERDICT: true.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   reach_error is called in the thread
   judge:   gcc -w -DTRUTH -lpthread, and the program aborts
*/
#include <pthread.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int g;
void *t(void *p) { if (g == 1) reach_error(); return 0; }
int main(void) {
  pthread_t th;
  g = __VERIFIER_nondet_int();
  pthread_create(&th, 0, t, 0);
  pthread_join(th, 0);
  return 0;
}
#ifdef TRUTH
int __VERIFIER_nondet_int(void) { return 1; }
#endif
