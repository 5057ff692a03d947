/* A pointer to a member of a structure that a caller passes steps over to the next member.
   command: check FILE --timeout 20
   never:   (`*p`: the access stays inside its object): holds
   truth:   C11 6.5.6p8
*/
struct point { float x, y, z; };
float f(struct point *q) {
  if (!q) return 0;
  float *p = &q->x;
  p++;
  return *p;
}
