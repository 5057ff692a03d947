/* A pointer to a member of a union goes on behind that member.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8: behind a member that is no array is the end of an array of one element
*/
union value { int whole; short parts[4]; long wide; };
int f(void) {
  union value v = {.wide = 7};
  int *p = &v.whole;
  return p[1];
}
