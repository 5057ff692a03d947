/* A call counts in a signed byte.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static void fill(signed char k,int*o){ *o=k; while(k>0){ k--; ++*o; } }
int f(unsigned short u){ int o; fill(u,&o); assert(o==2*u || u>127 && o<0);
 return 0; }
#ifdef TRUTH
int main(void){ return f(257);}
#endif
