/* Bytes between members are not zero because the members were set.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (memcmp(&a, &b, sizeof a) == 0): holds
   truth:   the assertion fails where the stack was used before
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <string.h>
struct s { char c; int i; };
void g(char c, int i) { struct s a = { c, i }, b = { c, i }; assert(memcmp(&a, &b, sizeof a) == 0); }
#ifdef TRUTH
void dirty(void) { volatile unsigned char room[256]; for (int i = 0; i < 256; i++) room[i] = i; }
/* Its frame is above that of g, which then lies where room was. */
int deeper(void) { volatile char pad[64]; pad[0] = 0; g(1, 2); return pad[0]; }
int main(void) { dirty(); return deeper(); }
#endif
