/* A variable is where one that has ended was.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (&y != old): holds
   truth:   the assertion fails: both variables are at one place of the stack
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static int *old;
static void keep(void) { int x = 1; old = &x; }
static void again(void) { int y = 2; assert(&y != old); }
void scope(void) { keep(); again(); }
#ifdef TRUTH
int main(void) { scope(); return 0; }
#endif
