/* A loop writes as many elements as the caller says.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (n <= 4): holds
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
struct { int a[4]; int rest[8]; } g;
static int f(int n) {
  for (int i = 0; i < n; i++) g.a[i] = i;
  assert(n <= 4);
  return 0;
}
int main(void) { return f(6); }
