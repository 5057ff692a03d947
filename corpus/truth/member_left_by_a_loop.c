/* A loop over a member takes one step too many.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8: the ninth element is not there
*/
struct row { int first[8]; int last; };
int f(void) {
  struct row r = {{0}, 0};
  for (int *p = r.first; p <= r.first + 8; p++) *p = 1;
  return r.last;
}
