/* Bytes are copied into a member and the one behind it.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8
*/
#include <string.h>
struct pair { int key; int value; int rest; } global;
int f(int x) {
  int both[2] = {x, x};
  global.key = 0;
  memcpy(&global.value, both, sizeof both);
  return global.rest == x;
}
