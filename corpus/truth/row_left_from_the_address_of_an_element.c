/* A pointer to an element of a row that goes on behind it.
   command: check FILE --function f --timeout 20
   never:   VERDICT: true
   truth:   the access is outside of its row (C11 6.5.6p8)
*/
int f(unsigned char k)
{
    int m[3][4] = { { 0 } };
    return *(&m[0][0] + (k & 7));
}
