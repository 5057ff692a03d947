/* Asm label: two names of one symbol are two objects.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (a == 5): holds
   truth:   assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int a = 1;
extern int b __asm__("a");
int main(void) { a = 5; b = 6; assert(a == 5); return 0; }
