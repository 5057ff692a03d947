/* A pointer to the last member of a structure that a caller passes has a second element.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8: behind a member that is no array is the end of an array of one element
*/
struct entry { int key; int value; };
int f(struct entry *e) {
  if (!e) return 0;
  int *p = &e->value;
  return p[1];
}
