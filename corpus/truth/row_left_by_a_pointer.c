/* A pointer into the first row of an array is used behind the end of the row.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8, J.2: an index out of range, even if there is an object
*/
static int m[3][4];
int f(void) {
  int *p = m[0];
  return p[5];
}
