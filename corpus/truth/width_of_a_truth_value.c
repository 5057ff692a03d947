/* A number goes through a truth value.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static int b(_Bool x){ return x; }
int f(int n){ assert(b(n)==n || n<0 || n==2 || n>3);
 return 0; }
#ifdef TRUTH
int main(void){ return f(3);}
#endif
