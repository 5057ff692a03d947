/* Probes of a compiled program: which conditions have which values, which assertions fail, what is undefined. */
#ifndef PROBES_H
#define PROBES_H
#include <setjmp.h>
enum { RETURNED = 1, FAILED = 2, UNDEFINED = 4, ENDLESS = 8 };
extern jmp_buf *probe_exit;
int probe(int number, int value);
int selected(int number, int value);
int observe(int number, int value);
enum bound { AtMost, AtLeast, Less, More, NotLeast, NotGreatest };
int tight(int number, int value, enum bound which);
long long inside(long long n_elements, long long index, int line);
void assertion(int line);
void assertion_failed(int line);
void probes_begin(int n_probes, int n_lines);
void probes_compare(void);
void run_begin(void);
void run_end(int how);
void probes_print(void);
void fill(void *memory, unsigned long size, int seed);
extern const long long numbers[16], globals[6];
extern const signed char numbers24[24];
extern const double floats[16];
/* Computed even where its value does not matter. */
#define opaque(e) ({ volatile __auto_type opaque_value = +(e); opaque_value; })
#define assert(e) (assertion(__LINE__), (e) ? (void)0 : assertion_failed(__LINE__))
#endif
