/* Output of a stream calls a function.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#define _GNU_SOURCE
#include <stdio.h>
#include <assert.h>
static int n;
static ssize_t w(void*c,const char*b,size_t k){ n=1; return k; }
static cookie_io_functions_t fs = { .write = w };
int main(void){ FILE*f=fopencookie(0,"w",fs); fprintf(f,"hi"); fflush(f); assert(n==0);
 return 0; }
