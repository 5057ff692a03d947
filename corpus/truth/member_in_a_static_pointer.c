/* A static pointer starts as one into a member, and is used behind the end of the member.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8
*/
static struct { int low[4], high[4]; } g;
static int *const p = g.low;
int f(unsigned i) {
  if (i > 7) return 0;
  return p[i];
}
