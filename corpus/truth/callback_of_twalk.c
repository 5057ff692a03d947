/* twalk calls a function for each node.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#define _GNU_SOURCE
#include <search.h>
#include <assert.h>
static int n;
static int c(const void*a,const void*b){ return (a>b)-(a<b); }
static void act(const void*p, VISIT v, int d){ n++; }
int main(void){ void*r=0; int k; tsearch(&k,&r,c); n=0; twalk(r,act); assert(n==0);
 return 0; }
