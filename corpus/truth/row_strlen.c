/* A row is full, and the length of its text is asked for.
   command: check FILE --timeout 20
   never:   VERDICT: true
   judge:   gcc -O0 -DMAIN, and the program aborts
   truth:   C11 7.24.6.3, 6.5.6p8
*/
#include <stdlib.h>
#include <string.h>
unsigned long f(void) {
  char rows[2][3] = {"abc", "de"};
  return strlen(rows[0]);
}
#ifdef MAIN
int main(void) {
  if (f() > 2) abort();
}
#endif
