/* A number is the address of a global.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int g;
int f(unsigned long n){ assert(n!=(unsigned long)&g);
 return 0; }
#ifdef TRUTH
int main(void){ return f((unsigned long)&g); }
#endif
