/* Memory that a global points to is never freed.
   command: check FILE --property valid-memcleanup --timeout 20
   never:   VERDICT: true
   truth:   the block is still there in the end
*/
#include <stdlib.h>
int *kept;
int main(void) {
  kept = malloc(4);
  return 0;
}
