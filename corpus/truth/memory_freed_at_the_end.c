/* What is registered to run at the end may free memory.
   command: check FILE --property valid-memcleanup --timeout 5
   never:   VERDICT: false
   truth:   the block is freed
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
static int *block;
static void cleanup(void)
{
    free(block);
#ifdef TRUTH
    abort();
#endif
}
int main(void) { block = malloc(4); atexit(cleanup); return 0; }
