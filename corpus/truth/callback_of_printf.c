/* printf calls a function of the program.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#define _GNU_SOURCE
#include <stdio.h>
#include <printf.h>
#include <assert.h>
static int n;
static int pf(FILE*f,const struct printf_info*i,const void*const*a){ n=1; return 0; }
static int pa(const struct printf_info*i,size_t k,int*t,int*s){ return 0; }
int main(void){ register_printf_specifier('W',pf,pa); printf("%W"); assert(n==0);
 return 0; }
