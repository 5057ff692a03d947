/* Bytes are set from a row on to the next one.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8
*/
#include <string.h>
static char rows[2][4];
int f(void) {
  memset(rows[0], 'x', 5);
  return rows[1][0];
}
