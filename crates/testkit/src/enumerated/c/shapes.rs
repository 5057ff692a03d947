//! Longer shapes of random C functions: loops of many turns, arrays that loops fill, calls with effects, texts, lists.
//!
//! The loops of `statements` have at most four turns, so that paths alone decide about them. These here need what proofs have
//! to say about loops, contents of arrays and calls. In a shape, `«...»` is a place that is filled: see `Writer::place`.

use super::{Theme, Writer};

impl Writer<'_> {
    /// A shape of a theme; false where the theme has none.
    pub(super) fn shape(&mut self, theme: Theme) -> bool {
        let shapes = shapes(theme);
        if shapes.is_empty() {
            return false;
        }
        let shape = self.random.pick(shapes);
        for line in shape.lines() {
            let text = self.filled(line);
            self.line(text.trim_start());
        }
        true
    }

    /// Functions that shapes call.
    pub(super) fn shape_helpers(&mut self) {
        for (theme, helpers) in HELPERS {
            if !self.has(*theme) {
                continue;
            }
            for line in helpers.lines() {
                let text = self.filled(line);
                self.text.push_str(&text);
                self.text.push('\n');
            }
        }
    }

    /// A text with its places filled, inner ones first.
    fn filled(&mut self, text: &str) -> String {
        let Some(begin) = text.find('«') else { return text.to_owned() };
        let mut depth = 0;
        for (at, char) in text[begin..].char_indices() {
            match char {
                '«' => depth += 1,
                '»' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let inner = text[begin + '«'.len_utf8()..begin + at].to_owned();
                let inner = self.filled(&inner);
                let place = self.place(&inner);
                let rest = self.filled(&text[begin + at + '»'.len_utf8()..]);
                return format!("{}{place}{rest}", &text[..begin]);
            }
        }
        unreachable!("places of shapes are closed")
    }

    /// What stands in a place: `id`, `v` an expression, `s` a short one, `c` a digit, `n` a number of turns, `op`, `cmp`,
    /// `cond` a condition, `if TEXT` this condition, `tight TEXT` one about the values that it has.
    fn place(&mut self, place: &str) -> String {
        let (word, text) = place.split_once(' ').unwrap_or((place, ""));
        match word {
            "id" => self.id.to_string(),
            "v" => self.expression(1),
            "s" => self.expression(0),
            "c" => self.random.below(10).to_string(),
            "n" => self.random.pick(&["9", "16", "40", "100", "255", "256", "300"]).to_owned(),
            "op" => self.random.pick(&["+", "-", "^", "&", "|"]).to_owned(),
            "cmp" => self.comparison().to_owned(),
            "cond" => self.condition(1),
            "type" => self
                .random
                .pick(&["int", "unsigned char", "short", "unsigned", "signed char"])
                .to_owned(),
            "if" => self.mark(text),
            "tight" => self.tight_about(text),
            _ => unreachable!("a place that no shape has: {place}"),
        }
    }
}

/// Functions that the shapes of a theme call, one line each.
const HELPERS: &[(Theme, &str)] = &[
    (
        Theme::Calls,
        "\
static «type» total«id»(const unsigned char *p, int n) { «type» s = 0; for (int i = 0; «if i < n»; i++) s += p[i] & «c»; return s; }
static void put«id»(int *p, int n, int v) { while («if n-- > 0») p[n] = v «op» n; }
static int find«id»(const int *p, int n, int v) { for (int i = 0; «if i < n»; i++) if («if p[i] == v») return i; return -1; }
static int advance«id»(int *state, int v) { *state = (*state + v) & 31; if («if *state == «c»») *state = 0; return *state & 3; }
static int *greater«id»(int *p, int *q) { return «if *p > *q» ? p : q; }
static void swap«id»(unsigned char *p, unsigned char *q) { unsigned char t = *p; *p = *q; *q = t; }
static struct in twist«id»(struct in i, int n) { while («if n-- > 0») { i.a += «c»; if («if i.a == i.b») break; } return i; }
static int clamp«id»(int v, int low, int high) { return «if v < low» ? low : «if v > high» ? high : v; }
static void both«id»(struct in *p, struct in *q) { p->a = q->b; q->a = p->b; p->b = «c»; }
static int deep«id»(int *p, int n) { if («if n <= 0») return *p; *p = (*p «op» n) & 63; return deep«id»(p, n - 1) + (*p & 1); }",
    ),
    (
        Theme::Many,
        "static int many«id»(int n, ...) { va_list l; int s = 0; va_start(l, n); while («if n-- > 0») s = s * 2 + va_arg(l, int); va_end(l); return s; }",
    ),
    (
        Theme::Tables,
        "\
static const short short_table«id»[8] = {«c», -«c», 300, «c», «c», -1, 7, «c»};
static const struct in pairs«id»[3] = {{1, -2}, {«c», «c»}, {200, 5}};",
    ),
];

/// What a theme has.
fn shapes(theme: Theme) -> &'static [&'static str] {
    match theme {
        Theme::Long => LONG,
        Theme::Contents => CONTENTS,
        Theme::Calls => CALLS,
        Theme::Texts => TEXTS,
        Theme::Lists => LISTS,
        Theme::Many => MANY,
        Theme::Tables => TABLES,
        Theme::Indirect => INDIRECT,
        Theme::Structs
        | Theme::Unions
        | Theme::Bits
        | Theme::Bytes
        | Theme::Copies
        | Theme::Callbacks
        | Theme::Recursion
        | Theme::Loops
        | Theme::Jumps
        | Theme::Statics
        | Theme::Globals
        | Theme::Floats
        | Theme::Order
        | Theme::Aliases
        | Theme::Writers
        | Theme::Heap
        | Theme::Nodes => &[],
    }
}

const LONG: &[&str] = &[
    "{ unsigned char k1 = «s»; int s1 = 0;
     while («if k1 != «c»») { k1 += «c»; s1++; if («if s1 > «n»») break; }
     assert(«tight s1»);
     assert(«tight k1»);
     x = s1; }",
    "{ int s1 = 0;
     for (unsigned i = 0; «if i < «n»»; i += 1 + «c») { if («cond») s1 += «c»; else s1 ^= 1;
     assert(«tight s1»);
     }
     y = s1; }",
    "{ int s1 = 0, t1 = 0;
     for (int i = 0; «if i < (a & 15)»; i++) { for (int j = i; «if j < «c» + «c»»; j++) { if («if (j * i & 7) == «c»») break; s1 += j - i; if («cond») { t1++; continue; } t1 ^= s1 & 3; }
     assert(«tight s1»);
     }
     assert(«tight t1»);
     x = s1; y = t1; }",
    "{ unsigned i = («s») & 63; int n1 = 0;
     while («if i-- > «c»») { n1 += 2;
     assert(«tight i»);
     }
     assert(«tight i»);
     assert(«tight n1»);
     x = n1; }",
    "{ unsigned p1 = («s») & 255, q1 = («v») & 127;
     while («if q1») { unsigned t1 = p1 % q1; p1 = q1; q1 = t1; }
     assert(«tight p1»);
     y = p1; }",
    "{ int l1 = 0, h1 = («s») & 63;
     while («if l1 < h1») { int m1 = l1 + (h1 - l1) / 2; if («if m1 * m1 «cmp» a») l1 = m1 + 1; else h1 = m1;
     assert(«tight h1 - l1»);
     }
     assert(«tight l1»);
     x = l1; }",
    "{ unsigned w1 = «v»; int n1 = 0;
     while («if w1») { n1 += w1 & 1; w1 >>= 1; }
     assert(«tight n1»);
     x = n1; }",
    "{ unsigned short w1 = «v»; int n1 = 0;
     while («if w1») { w1 &= w1 - 1; n1++; }
     assert(«tight n1»);
     y = n1; }",
    "{ «type» r1 = 0;
     for (int i = 0; «if i < (a & 127)»; i++) r1 += «c»;
     assert(«tight r1»);
     x = r1; }",
    "{ int t1 = 0, u1 = 0;
     for (int i = 0; «if i < «n»»; i++) { switch (t1) { case 0: t1 = «cond» ? 1 : 2; break; case 1: t1 = 2; case 2: u1 = (u1 + 1) & 7; t1 = «if u1 > «c»» ? 3 : 0; break; default: t1 = 0; u1 = 0; }
     assert(«tight t1»);
     }
     assert(«tight u1 + t1»);
     y = u1; }",
    "{ int at1 = 0, j1 = «n»;
     while («if at1 < j1») { at1 += 2; j1 -= «c»; if («if (at1 & 7) == «c»») continue; if («cond») at1++; }
     assert(«tight at1 - j1»);
     x = j1; }",
    "{ double r1 = 0; int at1 = 0;
     while («if r1 < «c»») { r1 += 0.1; if («if ++at1 > «n»») break; }
     assert(«tight at1»);
     assert(«tight r1 * 100»);
     x = at1; }",
    "{ unsigned u1 = («s») | 1u; int n1 = 0;
     do { u1 = u1 & 1 ? u1 * 3 + 1 : u1 / 2; if («if ++n1 >= «n»») break; } while («if u1 != 1»);
     assert(«tight n1»);
     y = n1; }",
    "{ signed char at1; int n1 = 0;
     for (at1 = -«c»; «if at1 <= «c»»; at1++) for (signed char j1 = at1; «if j1 > -«c»»; j1 -= 2) n1++;
     assert(«tight n1»);
     assert(«tight at1»);
     x = n1; }",
    "{ int n1 = 0; unsigned char at1 = 0;
     do { if («if at1 == (a & 63)») n1 += 10; else n1--; at1 += 4; } while («if at1»);
     assert(«tight n1»);
     y = n1; }",
];

const CONTENTS: &[&str] = &[
    "{ «type» t1[20];
     for (int i = 0; «if i < 20»; i++) t1[i] = i «op» «c»;
     assert(«tight t1[(«s») & 15]»);
     x = t1[(«s») & 15]; }",
    "{ int t1[16] = {0};
     for (int i = «c»; «if i < 7 + «c»»; i += 1 + «c») t1[i] = i «op» (int)a;
     assert(«tight t1[(«s») & 15]»);
     assert(«tight t1[«c»]»);
     y = t1[«c»]; }",
    "{ unsigned char t1[16];
     memset(t1, «c», sizeof t1);
     for (int i = 0; «if i < 16»; i++) { if («if i == (a & 31)») break; t1[i] = i + «c»; }
     assert(«tight t1[(«s») & 15]»);
     assert(«tight t1[15]»);
     x = t1[«c»]; }",
    "{ int t1[10], u1[10];
     for (int i = 0; «if i < 10»; i++) t1[i] = (i * «c») «op» («s» & 3);
     for (int i = 0; «if i < 10»; i++) u1[i] = t1[9 - i];
     assert(«tight u1[«c»] - t1[«c»]»);
     y = u1[«c»]; }",
    "{ unsigned char t1[6] = {3, «c», «s», 9, 1, «c»};
     for (int i = 0; «if i < 5»; i++) for (int j = 0; «if j < 5 - i»; j++) if («if t1[j] «cmp» t1[j + 1]») { unsigned char w1 = t1[j]; t1[j] = t1[j + 1]; t1[j + 1] = w1; }
     assert(«tight t1[0]»);
     assert(«tight t1[5]»);
     assert(«tight t1[3] - t1[2]»);
     x = t1[«c» % 6]; }",
    "{ «type» t1[12]; int m1 = 0;
     for (int i = 0; «if i < 12»; i++) t1[i] = (i * 5 + «c») % 11;
     for (int i = 1; «if i < 12»; i++) if («if t1[i] «cmp» t1[m1]») m1 = i;
     assert(«tight m1»);
     assert(«tight t1[m1]»);
     y = m1; }",
    "{ unsigned char t1[24]; unsigned char *w1 = t1, *e1 = t1 + ((«s») & 15) + 4;
     while («if w1 != e1») *w1++ = «c»;
     while («if w1 < t1 + 24») { *w1 = w1 - t1; w1++; }
     assert(«tight t1[(«s») & 15]»);
     assert(«tight w1 - e1»);
     x = t1[(«s») & 15]; }",
    "{ short t1[8]; unsigned char *w1 = (unsigned char *)t1;
     for (int i = 0; «if i < 16»; i++) w1[i] = i + «c»;
     assert(«tight t1[(«s») & 7]»);
     y = t1[«c» & 7]; }",
    "{ struct in t1[9];
     for (int i = 0; «if i < 9»; i++) { t1[i].a = i; t1[i].b = «if i > 4» ? t1[i - 1].a : -1; }
     assert(«tight t1[(«s») & 7].b»);
     assert(«tight t1[(«s») & 7].a - t1[«c» & 7].b»);
     x = t1[«c» & 7].b; }",
    "{ int t1[16]; t1[0] = («s») & 3;
     for (int i = 1; «if i < 16»; i++) t1[i] = (t1[i - 1] + i) & 31;
     assert(«tight t1[(«s») & 15]»);
     y = t1[15]; }",
    "{ int t1[4][5];
     for (int i = 0; «if i < 4»; i++) for (int j = 0; «if j < 5»; j++) t1[i][j] = i «op» j;
     int (*r1)[5] = t1 + ((«s») & 1);
     assert(«tight r1[1][(«s») & 3]»);
     assert(«tight *(*r1 + «c» % 5)»);
     x = r1[«c» % 3][4]; }",
    "{ unsigned char n1[8] = {0};
     for (int i = 0; «if i < «n»»; i++) n1[(i * («s» & 3)) & 7]++;
     assert(«tight n1[«c» & 7]»);
     y = n1[0]; }",
    "{ int t1[8] = {1, 1}; int at1 = 2;
     while («if at1 < 8») { t1[at1] = t1[at1 - 1] + t1[at1 - 2]; if («if t1[at1] > 3 + «c»») break; at1++; }
     assert(«tight t1[(«s») & 7]»);
     assert(«tight at1»);
     x = at1; }",
];

const CALLS: &[&str] = &[
    "{ unsigned char t1[8] = {1, «s», 3}; int u1 = total«id»(t1, («s») & 7);
     swap«id»(t1, t1 + ((«s») & 7));
     assert(«tight u1»);
     assert(«tight t1[0]»);
     x = total«id»(t1 + 1, 4); }",
    "{ int t1[9] = {«c»}; put«id»(t1 + 1, («s») & 7, «c»);
     assert(«tight t1[«c» % 9]»);
     assert(«tight find«id»(t1, 9, «c»)»);
     y = t1[8]; }",
    "{ int t1 = «c», n1 = 0;
     for (int i = 0; «if i < «n»»; i++) n1 += advance«id»(&t1, («s») & 3);
     assert(«tight t1»);
     assert(«tight n1»);
     x = t1; }",
    "{ int t1 = «s» & 15, u1 = «c»; int *p1 = greater«id»(&t1, &u1);
     *p1 -= «c»; *greater«id»(p1, &t1) = 3;
     assert(«tight t1»);
     assert(«tight u1»);
     y = t1 + u1; }",
    "{ struct in t1 = {«s», «c»}, u1 = twist«id»(t1, («s») & 15);
     both«id»(&t1, «cond» ? &u1 : &t1);
     assert(«tight u1.a»);
     assert(«tight t1.a - t1.b»);
     x = u1.a; }",
    "{ int t1 = clamp«id»(«v», «c», 10 + «c»);
     assert(«tight t1»);
     t1 = clamp«id»(t1 - 5, -«c», t1);
     assert(«tight t1»);
     y = t1; }",
    "{ int t1 = («s») & 31; int u1 = deep«id»(&t1, («s») & 7);
     assert(«tight t1»);
     assert(«tight u1»);
     x = u1; }",
    "{ int t1 = 1, u1[2] = {2, 3};
     for (int i = 0; «if i < 20»; i++) { *greater«id»(u1, u1 + 1) = advance«id»(«cond» ? &t1 : u1, i); }
     assert(«tight u1[0]»);
     assert(«tight t1 + u1[1]»);
     y = u1[0]; }",
];

const TEXTS: &[&str] = &[
    "{ char b1[12] = \"abcab\"; b1[«c» % 5] = «s»;
     assert(«tight strlen(b1)»);
     x = strlen(b1 + 1); }",
    "{ char b1[12] = \"ab\", *p1; b1[(«s») & 7] = 'a' + («c» & 3);
     p1 = strchr(b1, 'b');
     assert(«tight p1 ? p1 - b1 : -1»);
     y = p1 ? p1 - b1 : -1; }",
    "{ char b1[16] = \"x\", c1[8] = \"yz\"; c1[(«s») & 3] = «c»;
     strcat(b1, c1); b1[1] = «s»;
     assert(«tight strlen(b1)»);
     assert(«tight strcmp(b1, c1) «cmp» 0»);
     x = b1[1]; }",
    "{ char b1[8]; strncpy(b1, \"hello\" + ((«s») & 3), 4); b1[4] = 0;
     assert(«tight b1[3]»);
     assert(«tight strlen(b1)»);
     y = b1[0]; }",
    "{ unsigned char b1[6] = {1, 2, «s», 0, 3, 4}; void *p1 = memchr(b1, («s») & 3, 6);
     assert(«tight p1 ? (unsigned char *)p1 - b1 : 9»);
     x = p1 != 0; }",
    "{ const char *p1 = \"hello\" + «c» % 5; int n1 = 0;
     while («if *p1») n1 += *p1++ & 3;
     assert(«tight n1»);
     y = n1; }",
    "{ char b1[8] = \"12\"; b1[1] = '0' + («s» & 7); int n1 = atoi(b1);
     assert(«tight n1»);
     x = n1; }",
    "{ int n1 = strncmp(\"abcd\", \"abce\", («s») & 7);
     assert(«tight n1 < 0»);
     y = n1 < 0; }",
];

const LISTS: &[&str] = &[
    "{ struct node *h1 = 0; int n1 = 0, u1 = 0;
     for (int i = 0; «if i < (a & 3)»; i++) { struct node *c1 = malloc(sizeof *c1); if (!«if c1») break; c1->v = i + «c»; c1->next = h1; h1 = c1; }
     for (struct node *c1 = h1; «if c1»; c1 = c1->next) { n1++; u1 += c1->v; }
     assert(«tight n1»);
     assert(«tight u1»);
     while («if h1») { struct node *c1 = h1->next; free(h1); h1 = c1; }
     x = u1; }",
    "{ struct node t1[3] = {{{1, 2}, «c», t1 + 1}, {{3, 4}, 5, 0}, {{5, 6}, 7, t1}}; struct node *c1 = t1 + 2; int n1 = 0;
     if («cond») t1[1].next = t1 + (a & 1);
     while («if c1» && «if n1 < «c»») { n1++; c1->v += n1; c1 = c1->next; }
     assert(«tight t1[0].v»);
     assert(«tight n1»);
     y = t1[1].v; }",
    "{ struct node *t1 = calloc(2, sizeof *t1); if (!«if t1») return 6;
     t1->next = t1 + 1; t1[1].next = «cond» ? t1 : 0; t1->next->v = «s»;
     assert(«tight t1[1].v»);
     assert(«tight t1->i.a»);
     x = t1->next->next ? 3 : t1->next->v; free(t1); }",
    "{ int *t1 = malloc(3 * sizeof *t1), *u1; if (!«if t1») return 7;
     t1[0] = «c»; t1[1] = «s» & 7; t1[2] = 4; u1 = realloc(t1, 5 * sizeof *t1); if (!«if u1») { free(t1); return 8; }
     u1[4] = u1[1] - 1;
     assert(«tight u1[4]»);
     y = u1[0]; free(u1); }",
];

const MANY: &[&str] = &[
    "{ int t1 = many«id»(2, (int)(«s») & 15, «c»);
     assert(«tight t1»);
     x = t1; }",
    "{ int t1 = many«id»(a & 3, 1, (int)(«s») & 7, (int)(a & 1));
     assert(«tight t1»);
     y = t1; }",
    "{ int n1 = («s» & 7) + 1; int v1[n1];
     for (int i = 0; «if i < n1»; i++) v1[i] = i + «c»;
     assert(«tight v1[n1 - 1]»);
     assert(«tight sizeof v1»);
     x = v1[n1 / 2]; }",
    "{ int *l1 = (int[]){1, («s») & 31, 3}; l1[2] += l1[1];
     assert(«tight l1[1 + (a & 1)]»);
     y = l1[2]; }",
    "{ struct in *l1 = &(struct in){«s», «c»}; l1->a++;
     assert(«tight l1->a - l1->b»);
     x = l1->a; }",
    "{ int t1 = ({ int w1 = («s») & 15; w1 * w1; }) ?: 5;
     assert(«tight t1»);
     y = t1; }",
    "{ unsigned t1 = «v»; int r1; _Bool o1 = __builtin_add_overflow((int)(t1 & 127), 0x7fffffff - («c» * 16), &r1);
     assert(«tight o1»);
     assert(«tight __builtin_popcount(t1 & 0xfff)»);
     x = o1; }",
    "{ long long t1 = «v»; t1 = (t1 & 0xffff) << 20; int u1 = t1 >> 24; switch (t1 >> 20) { case 0: u1 = 7; case 3: u1++; break; case 0xffff: u1 = -u1; }
     assert(«tight u1»);
     y = u1; }",
];

const TABLES: &[&str] = &[
    "{ short t1 = short_table«id»[(«s») & 7];
     assert(«tight t1»);
     x = t1; }",
    "{ int n1 = 0;
     for (int i = 0; «if i < 8»; i++) if («if short_table«id»[i] «cmp» («s» & 7)») n1 += i;
     assert(«tight n1»);
     y = n1; }",
    "{ const struct in *p1 = pairs«id» + ((«s») & 1); struct in t1 = p1[1]; t1.a += p1->b;
     assert(«tight t1.a»);
     assert(«tight p1 - pairs«id»»);
     x = t1.b; }",
    "{ static const unsigned char t1[3][4] = {{1, 2, 3, 4}, {5, 6}, {[2] = «c»}}; int at1 = («s») & 3;
     assert(«tight t1[at1 % 3][(«s») & 3]»);
     y = t1[2][at1]; }",
    "{ const char *const t1[] = {\"one\", \"three\", \"\"}; int at1 = («s» & 3) % 3;
     assert(«tight t1[at1][0]»);
     assert(«tight strlen(t1[at1])»);
     x = t1[at1][0]; }",
];

const INDIRECT: &[&str] = &[
    "{ int t1 = «s» & 31, u1 = «c», *p1 = &t1, **q1 = &p1; if («cond») p1 = &u1;
     **q1 += 3; *q1 = &t1; *p1 ^= u1;
     assert(«tight t1»);
     assert(«tight u1»);
     x = t1; }",
    "{ int t1 = 1, u1 = 2, *p1[3] = {&t1, &u1, &t1}; *p1[(«s» & 3) % 3] = «c»; p1[1] = p1[(«s» & 3) % 3]; (*p1[1])++;
     assert(«tight t1»);
     assert(«tight u1»);
     y = t1 - u1; }",
    "{ int z1 = «s»; struct { unsigned char *p; int n1; } w1 = {(unsigned char *)&z1, sizeof z1}, v1; unsigned char t1[4] = {1, 2, «c», 4}; v1 = w1; if («cond») v1.p = t1, v1.n1 = 4; v1.p[v1.n1 - 1] = «s»;
     assert(«tight t1[3]»);
     assert(«tight v1.n1»);
     x = t1[2]; y = z1 >> 24; }",
    "{ struct in t1[3] = {{1, 2}, {«c», 4}, {5, 6}}; unsigned char *p1 = &t1[(«s») & 1].a; *p1 = «c»; struct in *q1 = (struct in *)p1 + 1; q1->b -= *p1; t1[0] = *q1;
     assert(«tight t1[1].b»);
     assert(«tight t1[0].a»);
     y = t1[0].b; }",
    "{ union un t1 = {.w = 0}, *p1 = &t1; unsigned short *h1 = &p1->h[(«s») & 1]; *h1 = «v»; p1->b[1] ^= «c»;
     assert(«tight t1.h[0]»);
     assert(«tight t1.b[3]»);
     x = t1.c; }",
    "{ struct out t1, *p1 = &t1; memset(p1, 0, sizeof t1); struct in *q1 = p1->r + ((«s») & 1); *q1 = (struct in){«s», «c»}; short *r1 = &p1->s; *r1 = q1->a - q1->b; p1->i = p1->r[1];
     assert(«tight t1.i.a»);
     assert(«tight t1.s»);
     y = t1.r[0].b; }",
    "{ int t1[6] = {5, 4, 3, 2, 1, 0}, *p1 = t1 + («s» & 3), *q1 = p1 + 2; *q1-- = *p1++; q1[1] += *p1; 
     assert(«tight q1 - p1»);
     assert(«tight t1[3]»);
     assert(«tight *q1»);
     x = t1[2]; }",
    "{ int t1 = 5; int *p1 = «cond» ? &t1 : (int *)0; if («if p1») *p1 = «c»;
     assert(«tight t1»);
     y = p1 != 0; }",
];
