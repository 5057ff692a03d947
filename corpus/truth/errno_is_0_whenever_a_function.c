/* Errno is 0 whenever a function begins.
   command: gen FILE
   never:   errno == 3 is true: infeasible: 
   truth:   errno is what the caller left there
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <errno.h>
#include <assert.h>
int f(void) { if (errno == 3) return 1; return 0; }
#ifdef TRUTH
int main(void) { errno = 3; assert(!f()); return 0; }
#endif
