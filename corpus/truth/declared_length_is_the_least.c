/* An array is longer than its declaration says.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int a[static 2],int n){ if(n<0||n>5) return 0; assert(n<2||a[n]!=9);
 return 0; }
#ifdef TRUTH
int main(void){ int x[6]={0,0,0,9}; return f(x,3);}
#endif
