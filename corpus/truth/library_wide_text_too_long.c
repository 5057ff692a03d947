/* Lengths of wide text count characters, not bytes.
   command: check FILE --assertions-only --timeout 5 --function f
   never:   VERDICT: true
   truth:   what lies behind the array is overwritten
   judge:   gcc -w -DTRUTH -O0 -fno-stack-protector, and the program aborts
*/
#include <assert.h>
#include <wchar.h>
int f(void) { int x[4] = {0}; wchar_t b[2]; swprintf(b, 8, L"%d", 1234567); for (int i = 0; i < 4; i++) assert(x[i] == 0); return 0; }
#ifdef TRUTH
int main(void) { return f(); }
#endif
