/* The depth of a recursion is a byte.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static long dep(unsigned char d){ return d==0?0:1+dep(d-1); }
int f(long n){ long r=dep(n); assert(r==n || n<0 || n>255 && r!=1);
 return 0; }
#ifdef TRUTH
int main(void){ return f(513);}
#endif
