/* A sum starts with whatever is there.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static void dirty(void) { volatile int a[64]; for (int i = 0; i < 64; i++) a[i] = 77; }
static int f(void) {
  int s;
  for (int i = 0; i < 3; i++) s += i & 1;
  assert(s == 123456);
  return s;
}
int main(void) { dirty(); return f(); }
