/* A weak function is another one by its alias.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
int real(void) { return 1; }
int hook(void) __attribute__((weak, alias("real")));
int main(void)
{
    assert(hook() != 1);
    return 0;
}
