/* Replay does not look which assertion fails: "confirmed".
   command: check FILE --timeout 20 -- -funsigned-char
   never:   assertion (c >= 0): violated by f: c = -1 [confirmed
   truth:   c >= 0 never fails with -funsigned-char (23); what the compiled program stops at is `c < 128`, which the same report calls holds
   judge:   gcc -w -DTRUTH -funsigned-char, and the program aborts
*/
#include <assert.h>
int f(char c) { assert(c < 128); assert(c >= 0); return 0; }
#ifdef TRUTH
int main(void) { for (int i = 0; i < 256; i++) if ((char)i < 0) return 9; f(200); return 0; }
#endif
