/* A number goes through a byte.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static unsigned char low(int x){ return x; }
static long wide(unsigned char c){ return c; }
int f(int x){ long w=wide(low(x)); assert(w==x || x<0 || x>300 );
 return 0; }
#ifdef TRUTH
int main(void){ return f(256);}
#endif
