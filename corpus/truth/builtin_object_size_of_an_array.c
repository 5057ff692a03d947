/* __builtin_object_size of an array.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (__builtin_object_size(b, 0) != 64): holds
   truth:   assertion fails: gcc gives 64 at -O0 too
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int main(void) { char b[64]; assert(__builtin_object_size(b, 0) != 64); return 0; }
