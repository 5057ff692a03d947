/* Bytes of a row and of the next one are compared.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8
*/
#include <string.h>
static char rows[2][4];
int f(void) {
  return memcmp(rows[0], "abcdefgh", 8);
}
