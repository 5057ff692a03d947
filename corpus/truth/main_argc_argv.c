/* Main(argc, argv): argv = NULL with argc = 2.
   command: check FILE --timeout 20
   never:   null-dereference *: violated by main: argc = 2, argv = NULL
   truth:   cannot happen: C11 5.1.2.2.1: argv[0] .. argv[argc-1] are strings, argv[argc] is null, argc >= 0. Also `assert(argc >= 0)`, `assert(argv[argc] == 0)`: violated
*/
int main(int argc, char **argv) {
  if (argc < 2) return 1;
  return argv[1][0] == 'x';
}
