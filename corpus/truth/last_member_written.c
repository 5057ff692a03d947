/* The first member of the next element is written by a pointer to the last one of this.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8: behind a member that is no array is the end of an array of one element
*/
struct entry { int key; int value; };
int f(void) {
  struct entry two[2] = {{1, 2}, {3, 4}};
  int *p = &two[0].value;
  *(p + 1) = 5;
  return two[1].key;
}
