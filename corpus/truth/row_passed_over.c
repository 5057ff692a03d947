/* A copy of a pointer into a row leaves the row.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8
*/
struct board { char cells[3][3]; };
int f(struct board b) {
  char *row = b.cells[1];
  char *p = row;
  p += 3;
  return *p;
}
