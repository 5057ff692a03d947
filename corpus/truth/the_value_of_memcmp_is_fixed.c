/* The value of memcmp is fixed although only its sign is.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (memcmp("a","c",1)!=-1): holds
   truth:   assertion fails: gcc 12 -O0 folds it to -1
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <string.h>
int main(void) { assert(memcmp("a","c",1)!=-1); return 0; }
