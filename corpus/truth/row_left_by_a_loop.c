/* A loop over one row of an array goes on into the next.
   command: check FILE --timeout 20
   never:   stays inside its object): holds
   truth:   C11 6.5.6p8
*/
int f(int m[2][3]) {
  int sum = 0;
  int *p = m[0];
  for (int i = 0; i < 6; i++) sum |= p[i];
  return sum;
}
