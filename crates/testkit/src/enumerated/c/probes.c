/* Counts what probes see, and ends runs at undefined behavior, which gcc's sanitizer reports to functions of this file. */
#include "probes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
  jmp_buf out;
  int n_probes, n_lines, n_touched;
  long run, steps;
  unsigned char *hits;          /* by probe and value: how runs ended that had it */
  unsigned long long *selected; /* by probe: values below 64 */
  unsigned long long *defined;  /* the same of runs in which nothing was undefined */
  unsigned long long *selected_now;
  long *stamps;
  int *touched;
  unsigned char *reached, *failed;
  int *least, *greatest;
  int *least_before, *greatest_before; /* of the first pass */
  int is_observing;                    /* the first pass: assertions do not end runs */
  unsigned char *observed;
  unsigned long long *undefined; /* by line: kinds */
  char *initial_data, *initial_bss;
};
static struct state *state;
jmp_buf *probe_exit;
extern char __data_start[], edata[], __bss_start[], end[];

const long long numbers[16] = {0, 1, -1, 2, 3, 4, 7, 8, 16, 127, 128, 255, -128, 0x7fffffff, -0x7fffffff - 1, 300};
const long long globals[6] = {1, 0, 3, 127, -1, 8};
const signed char numbers24[24] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 31, 32, 63, 64, 100, 126, 127, -128, -127, -2, -1, 12};
const double floats[16] = {0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 3.0, 7.25, 100.0, -100.0, 1e30, -1e300, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, 1e-320};

void probes_begin(int n_probes, int n_lines)
{
  struct state *s = calloc(1, sizeof *s);
  s->n_probes = n_probes;
  s->n_lines = n_lines;
  s->hits = calloc(2 * n_probes + 2, 1);
  s->stamps = calloc(2 * n_probes + 2, sizeof(long));
  s->touched = calloc(2 * n_probes + 2, sizeof(int));
  s->selected = calloc(n_probes + 1, 8);
  s->defined = calloc(n_probes + 1, 8);
  s->selected_now = calloc(n_probes + 1, 8);
  s->least = calloc(n_probes + 1, sizeof(int));
  s->greatest = calloc(n_probes + 1, sizeof(int));
  s->observed = calloc(n_probes + 1, 1);
  s->least_before = calloc(n_probes + 1, sizeof(int));
  s->greatest_before = calloc(n_probes + 1, sizeof(int));
  s->is_observing = 1;
  s->reached = calloc(n_lines + 1, 1);
  s->failed = calloc(n_lines + 1, 1);
  s->undefined = calloc(n_lines + 1, 8);
  s->initial_data = malloc(edata - __data_start);
  s->initial_bss = malloc(end - __bss_start);
  state = s;
  probe_exit = &s->out;
  memcpy(s->initial_data, __data_start, edata - __data_start);
  memcpy(s->initial_bss, __bss_start, end - __bss_start);
}

/* The second pass begins: what was seen is forgotten, but for the values that are compared with. */
void probes_compare(void)
{
  struct state *s = state;
  s->is_observing = 0;
  memcpy(s->least_before, s->least, s->n_probes * sizeof(int));
  memcpy(s->greatest_before, s->greatest, s->n_probes * sizeof(int));
  memset(s->hits, 0, 2 * s->n_probes + 2);
  memset(s->selected, 0, (s->n_probes + 1) * 8);
  memset(s->defined, 0, (s->n_probes + 1) * 8);
  memset(s->reached, 0, s->n_lines + 1);
  memset(s->failed, 0, s->n_lines + 1);
  memset(s->undefined, 0, (s->n_lines + 1) * 8);
}

void run_begin(void)
{
  struct state *s = state;
  memcpy(__data_start, s->initial_data, edata - __data_start);
  memcpy(__bss_start, s->initial_bss, end - __bss_start);
  s->run++;
  s->steps = s->n_touched = 0;
}

void run_end(int how)
{
  struct state *s = state;
  for (int i = 0; i < s->n_touched; i++) {
    int at = s->touched[i];
    s->hits[at] |= how;
    s->selected[at / 2] |= s->selected_now[at / 2];
    if (how == RETURNED || how == FAILED) s->defined[at / 2] |= s->selected_now[at / 2];
    s->selected_now[at / 2] = 0;
  }
}

static void step(int at)
{
  struct state *s = state;
  if (s->stamps[at] != s->run) {
    s->stamps[at] = s->run;
    s->touched[s->n_touched++] = at;
  }
  if (++s->steps > 20000) longjmp(s->out, ENDLESS);
}

int probe(int number, int value)
{
  step(2 * number + value);
  return value;
}

int observe(int number, int value)
{
  struct state *s = state;
  if (!s->observed[number] || value < s->least[number]) s->least[number] = value;
  if (!s->observed[number] || value > s->greatest[number]) s->greatest[number] = value;
  s->observed[number] = 1;
  return value;
}

int tight(int number, int value, enum bound which)
{
  int least = state->least_before[number], greatest = state->greatest_before[number];
  switch (which) {
  case AtMost: return value <= greatest;
  case Less: return least < greatest ? value < greatest : value <= greatest;
  case NotGreatest: return least < greatest ? value != greatest : value == greatest;
  case More: return least < greatest ? value > least : value >= least;
  case NotLeast: return least < greatest ? value != least : value == least;
  default: return value >= least;
  }
}

int selected(int number, int value)
{
  step(2 * number);
  state->selected_now[number] |= 1ull << (value & 63);
  return value;
}

void assertion(int line)
{
  state->reached[line] = 1;
}

void assertion_failed(int line)
{
  if (state->is_observing) return;
  state->failed[line] = 1;
  longjmp(state->out, FAILED);
}

void fill(void *memory, unsigned long size, int seed)
{
  unsigned char *bytes = memory;
  for (unsigned long i = 0; i < size; i++) {
    seed = (seed * 1103515245u + 12345u) & 0x7fffffff;
    bytes[i] = seed >> 16 & 1 ? seed >> 20 & 7 : seed >> 8;
  }
}

static const char *const kinds[] = {
  "signed-overflow", "division-by-zero", "shift-amount", "shift-overflow", "out-of-bounds", "null-dereference", "other"};

void probes_print(void)
{
  struct state *s = state;
  for (int i = 0; i < 2 * s->n_probes; i++)
    if (s->hits[i]) printf("hit %d %d %d\n", i / 2, i % 2, s->hits[i]);
  for (int i = 0; i < s->n_probes; i++)
    if (s->selected[i]) printf("selected %d %llu %llu\n", i, s->selected[i], s->defined[i]);
  for (int i = 0; i < s->n_probes; i++)
    if (s->observed[i]) printf("observed %d %d %d\n", i, s->least_before[i], s->greatest_before[i]);
  for (int i = 0; i <= s->n_lines; i++) {
    if (s->reached[i]) printf("assertion %d %d\n", i, s->failed[i]);
    for (int kind = 0; kind < 7; kind++)
      if (s->undefined[i] >> kind & 1) printf("undefined %d %s\n", i, kinds[kind]);
  }
}

struct place { const char *file; unsigned line, column; };
struct type { unsigned short kind, info; };

static void undefined(void *data, int kind)
{
  struct place *place = data;
  if (place->line <= (unsigned)state->n_lines) state->undefined[place->line] |= 1ull << kind;
  longjmp(state->out, UNDEFINED);
}

long long inside(long long n_elements, long long index, int line)
{
  struct place place = {0, line, 0};
  if (index < 0 || index >= n_elements) undefined(&place, 4);
  return index;
}

#define HANDLER(name, kind) \
  void __ubsan_handle_##name##_abort(void *data, unsigned long l, unsigned long r) { undefined(data, kind); }
HANDLER(add_overflow, 0)
HANDLER(sub_overflow, 0)
HANDLER(mul_overflow, 0)
HANDLER(negate_overflow, 0)
HANDLER(out_of_bounds, 4)
HANDLER(type_mismatch_v1, 5)
HANDLER(pointer_overflow, 6)
HANDLER(load_invalid_value, 6)
HANDLER(nonnull_arg, 6)
HANDLER(builtin_unreachable, 6)
HANDLER(missing_return, 6)
HANDLER(invalid_builtin, 6)
HANDLER(vla_bound_not_positive, 6)

static unsigned width_of(struct type *type)
{
  return 1u << (type->info >> 1);
}

static int is_zero(struct type *type, unsigned long value)
{
  return width_of(type) > 64 ? 0 : width_of(type) == 64 ? value == 0 : (value & ((1ul << width_of(type)) - 1)) == 0;
}

void __ubsan_handle_divrem_overflow_abort(void *data, unsigned long l, unsigned long r)
{
  struct { struct place place; struct type *type; } *d = data;
  undefined(data, is_zero(d->type, r) ? 1 : 0);
}

void __ubsan_handle_shift_out_of_bounds_abort(void *data, unsigned long l, unsigned long r)
{
  struct { struct place place; struct type *left, *right; } *d = data;
  unsigned width = width_of(d->right);
  if (width < 64) r &= (1ul << width) - 1;
  undefined(data, r >= width_of(d->left) ? 2 : 3);
}
