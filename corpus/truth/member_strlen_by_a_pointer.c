/* The length of a text is asked for by a pointer to a member that has no end.
   command: check FILE --timeout 20
   never:   VERDICT: true
   judge:   gcc -O0 -DMAIN, and the program aborts
   truth:   C11 7.24.6.3, 6.5.6p8
*/
#include <stdlib.h>
#include <string.h>
struct name { char first[4]; char last[4]; };
unsigned long f(void) {
  struct name n = {{'a', 'b', 'c', 'd'}, {'x', 0}};
  const char *p = n.first;
  p++;
  return strlen(p);
}
#ifdef MAIN
int main(void) {
  if (f() > 2) abort();
}
#endif
