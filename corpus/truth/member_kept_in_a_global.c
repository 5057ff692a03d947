/* A pointer into a member is kept in a global variable, and used behind the end of the member.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8
*/
static struct { unsigned short low[4], high[4]; } g;
static unsigned short *p;
int f(unsigned i) {
  p = g.low;
  if (i > 7) return 0;
  return p[i];
}
