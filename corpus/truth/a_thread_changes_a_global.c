/* A thread changes a global: the assertion after it is proved.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (g == 1): holds
   truth:   the thread sets g to 2
   judge:   gcc -w -DTRUTH -lpthread, and the program aborts
*/
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int g;
void *t(void *p) { while (*(volatile int *)&g != 1) ; g = 2; return 0; }
void *(*tab[2])(void*) = {t, t};
int main(void) {
  pthread_t th;
  int k = __VERIFIER_nondet_int();
  g = 0;
  pthread_create(&th, 0, tab[k & 1], 0);
  g = 1;
  pthread_join(th, 0);
  g = 1;
  pthread_create(&th, 0, tab[k & 1], 0);
  g = 1;
  for (volatile int i = 0; i < 300000000; i++) ;
  assert(g == 1);
  return 0;
}
#ifdef TRUTH
int __VERIFIER_nondet_int(void) { return 1; }
#endif
