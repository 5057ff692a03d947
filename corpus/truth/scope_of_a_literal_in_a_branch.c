/* The branch of an if is a block, with which a literal ends.
   command: check FILE --function f --timeout 20
   never:   VERDICT: true
   truth:   the object has ended
   judge:   gcc -w -DTRUTH -fsanitize=address, and the program aborts
*/
struct s { int a; };
int f(unsigned char k)
{
    struct s *p = 0;
    if (k > 3)
        p = &(struct s){ k };
    return p ? p->a : 0;
}
#ifdef TRUTH
int main(void) { return f(9) * 0; }
#endif
