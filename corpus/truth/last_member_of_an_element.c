/* A pointer to the last member of an element has a second element.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8: behind a member that is no array is the end of an array of one element
*/
struct entry { int key; int value; };
static struct entry table[4];
int f(void) {
  int *p = &table[1].value;
  return p[1];
}
