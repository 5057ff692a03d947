//! Test functions in C, one construct at a time, as people read them.
//!
//! A case is a C source with a function `f` and a list of numbers: parameters, globals named `input_...` and what functions
//! named `ask...` return take them in order, leaf by leaf; a pointer takes the number of elements behind it, zero for null.
//! What the run shows is the interpreter's.

use expect_test::{Expect, expect};
use glassbox_c_front::compile::compile_text;
use glassbox_emit::UnitNames;
use glassbox_emit::c_test::{Spec, TestFile, TestText, test_function};
use glassbox_interp::StubbedExternals;
use glassbox_interp::{Machine, Options, Stubs, run_test};
use glassbox_ir::{FuncId, Program, ResultPassing, SourceType, SourceTypeId};
use glassbox_libc::Libc;
use glassbox_testcase::{InputObject, InputPointer, InputValue, NamedInput, StubResult, TestInput};
use glassbox_values::{Bits, Float, RoundingMode};

/// Makes an input out of numbers.
struct Maker<'a> {
    program: &'a Program,
    numbers: std::slice::Iter<'a, f64>,
    objects: Vec<InputObject>,
}

impl Maker<'_> {
    fn number(&mut self) -> f64 {
        *self.numbers.next().expect("the case should give a number for every leaf")
    }

    fn integer(&mut self, width: u8) -> InputValue {
        #[expect(clippy::cast_possible_truncation, reason = "the numbers of the cases are small")]
        let number = self.number() as i128;
        InputValue::Int(Bits::from_signed(number, width))
    }

    fn value(&mut self, ty: SourceTypeId) -> InputValue {
        match self.program.source_type(ty) {
            SourceType::Named { target, .. } => self.value(*target),
            SourceType::Bool => self.integer(8),
            SourceType::Int { width, .. } | SourceType::Enum { width, .. } => self.integer(*width),
            SourceType::Float { format, .. } => {
                let number = Float::from_f64(self.number());
                InputValue::Float(number.convert(*format, RoundingMode::NearestEven))
            }
            SourceType::Pointer { target, .. } => self.pointer(*target),
            SourceType::Array { element, length } => {
                let length = length.expect("arrays of the cases have a length");
                InputValue::Array((0..length).map(|_| self.value(*element)).collect())
            }
            SourceType::Record { fields: Some(fields), .. } => {
                InputValue::Struct(fields.iter().map(|field| self.value(field.ty)).collect())
            }
            other @ (SourceType::Void
            | SourceType::Record { fields: None, .. }
            | SourceType::Function { .. }
            | SourceType::Class(_)
            | SourceType::ClassArray { .. }
            | SourceType::Opaque { .. }) => panic!("no case has {other:?}"),
        }
    }

    fn pointer(&mut self, target: SourceTypeId) -> InputValue {
        let InputValue::Int(length) = self.integer(32) else { panic!("an integer was made") };
        let length = u64::try_from(length.unsigned()).expect("small");
        if length == 0 {
            return InputValue::Pointer(InputPointer::Null);
        }
        let object = self.objects.len();
        self.objects.push(InputObject {
            name: format!("object{object}"),
            element_type: target,
            length,
            extra_bytes: 0,
            stream: None,
            elements: Vec::new(),
        });
        let elements = (0..length).map(|_| self.value(target)).collect();
        self.objects[object].elements = elements;
        InputValue::Pointer(InputPointer::Object { object, offset: 0 })
    }
}

fn input(program: &Program, function: FuncId, numbers: &[f64]) -> TestInput {
    let mut maker = Maker { program, numbers: numbers.iter(), objects: Vec::new() };
    let declared = program.function(function);
    // The address of a record to fill is no parameter of the source.
    let n_hidden = usize::from(declared.result == ResultPassing::Indirect);
    let params = declared.params.iter().skip(n_hidden).map(|param| NamedInput {
        name: param.name.clone(),
        source_type: param.source_type,
        value: maker.value(param.source_type),
    });
    let params = params.collect();
    let inputs = program.global_ids().filter(|&id| program.global(id).name.starts_with("input_"));
    let globals = inputs.map(|id| (id, maker.value(program.global(id).source_type))).collect();
    let asked = program.function_ids().filter(|&id| program.function(id).name.starts_with("ask"));
    let stubs = asked.map(|id| StubResult {
        function: id,
        result: Some(maker.value(program.function(id).result_source_type)),
        writes: Vec::new(),
        ends: false,
    });
    let stubs = stubs.collect();
    TestInput { params, globals, stubs, objects: maker.objects, ..TestInput::default() }
}

#[track_caller]
fn check(source: &str, numbers: &[f64], expected: Expect) {
    let program = compile_text(source).program.expect("the case should compile");
    let function = program.function_named("f").expect("the case should define f");
    let input = input(&program, function, numbers);
    let stubs = Stubs::default();
    let externals = StubbedExternals { stubs: stubs.clone(), library: Libc::new() };
    let mut machine =
        Machine::new(&program, Options::default(), Box::new(externals)).expect("it fits");
    let run = run_test(&mut machine, &stubs, function, &input).expect("the input fits");
    let mut names = UnitNames::default();
    names.read(source.as_bytes());
    let file = TestFile {
        program: &program,
        function,
        include: "f.c".to_owned(),
        names: names.into(),
        shares_process: false,
        spec: Spec::default(),
        requirements: Vec::new(),
        relation: None,
        tests: Vec::new(),
    };
    let test = TestText {
        name: "test_f_1".to_owned(),
        input: &input,
        expected: &run.observation,
        covers: Vec::new(),
        body: None,
        constraints: Vec::new(),
    };
    expected.assert_eq(&test_function(&file, &test));
}

#[test]
fn integers_of_all_signs_and_sizes() {
    check(
        "long f(signed char a, unsigned b, long c, _Bool d) { return d ? a + (long)b : c; }",
        &[-128.0, 4_294_967_295.0, -9_007_199_254_740_992.0, 1.0],
        expect![[r#"
            /*
             * oracle: regression (recorded from a run)
             */
            static void test_f_1(void)
            {
                signed char a = -128;
                unsigned int b = 4294967295U;
                long c = -9007199254740992L;
                _Bool d = 1;
                long result = f(a, b, c, d);
                CHECK(result == 4294967167L);
            }
        "#]],
    );
}

#[test]
fn the_smallest_integers_have_no_literal_of_their_own() {
    check(
        "int f(int a, long b) { return a < b; }",
        &[-2_147_483_648.0, -9_223_372_036_854_775_808.0],
        expect![[r#"
            /*
             * oracle: regression (recorded from a run)
             */
            static void test_f_1(void)
            {
                int a = (-2147483647 - 1);
                long b = (-9223372036854775807L - 1);
                int result = f(a, b);
                CHECK(result == 0);
            }
        "#]],
    );
}

#[test]
fn floats_are_exact() {
    check(
        "double f(float a, double b) { return a > 0 ? b : -b; }",
        &[0.1, f64::INFINITY],
        expect![[r#"
            /*
             * oracle: regression (recorded from a run)
             */
            static void test_f_1(void)
            {
                float a = 0.1f;
                double b = __builtin_inf();
                double result = f(a, b);
                CHECK_FLOAT(result, __builtin_inf());
            }
        "#]],
    );
    check(
        "float f(float a) { return a; }",
        &[f64::NAN],
        expect![[r#"
        /*
         * oracle: regression (recorded from a run)
         */
        static void test_f_1(void)
        {
            float a = __builtin_nanf("");
            float result = f(a);
            CHECK_FLOAT(result, __builtin_nanf(""));
        }
    "#]],
    );
}

#[test]
fn strings_are_strings() {
    check(
        "int f(const char *s) { return s[0] == 'h'; }",
        &[4.0, 104.0, 105.0, 34.0, 0.0],
        expect![[r#"
            /*
             * oracle: regression (recorded from a run)
             */
            static void test_f_1(void)
            {
                char s_data[4] = "hi\"";
                const char *s = s_data;
                int result = f(s);
                CHECK(result == 1);
            }
        "#]],
    );
}

#[test]
fn memory_behind_pointers_is_compared_where_it_changed() {
    check(
        "int f(int *p, int n) { p[1] = n; return p[0]; }",
        &[3.0, 7.0, 8.0, 9.0, 5.0],
        expect![[r#"
            /*
             * oracle: regression (recorded from a run)
             */
            static void test_f_1(void)
            {
                int p_data[3] = {7, 8, 9};
                int *p = p_data;
                int n = 5;
                int result = f(p, n);
                CHECK(result == 7);
                CHECK(p_data[1] == 5);
            }
        "#]],
    );
    check(
        "int f(int *p) { return p == 0; }",
        &[0.0],
        expect![[r#"
        /*
         * oracle: regression (recorded from a run)
         */
        static void test_f_1(void)
        {
            int *p = 0;
            int result = f(p);
            CHECK(result == 1);
        }
    "#]],
    );
}

#[test]
fn structures_have_members() {
    check(
        "struct inner { short s; float t; };\n\
         struct pair { int a; struct inner b[2]; };\n\
         struct pair f(struct pair p) { p.a++; return p; }",
        &[1.0, 2.0, 0.5, 3.0, 1.5],
        expect![[r#"
            /*
             * oracle: regression (recorded from a run)
             */
            static void test_f_1(void)
            {
                struct pair p = {.a = 1, .b = {{.s = 2, .t = 0.5f}, {.s = 3, .t = 1.5f}}};
                struct pair result = f(p);
                CHECK(result.a == 2);
                CHECK(result.b[0].s == 2);
                CHECK_FLOAT(result.b[0].t, 0.5f);
                CHECK(result.b[1].s == 3);
                CHECK_FLOAT(result.b[1].t, 1.5f);
            }
        "#]],
    );
}

#[test]
fn arrays_and_globals_are_set_and_compared() {
    check(
        "int input_t[3]; static int seen;\nint f(void) { seen = input_t[2]; return input_t[0]; }",
        &[4.0, 5.0, 6.0],
        expect![[r#"
            /*
             * oracle: regression (recorded from a run)
             */
            static void test_f_1(void)
            {
                static int input_t_start[3] = {4, 5, 6};
                __builtin_memcpy((void *)&input_t, (void *)&input_t_start, sizeof input_t_start);
                int result = f();
                CHECK(result == 4);
                CHECK(seen == 6);
            }
        "#]],
    );
}

#[test]
fn undefined_functions_answer_in_order() {
    check(
        "int ask(void);\nint f(int x) { return ask() + x; }",
        &[1.0, 41.0],
        expect![[r#"
        /*
         * oracle: regression (recorded from a run)
         */
        static void test_f_1(void)
        {
            ask_results[0] = 41;
            ask_calls = 0;
            int x = 1;
            int result = f(x);
            CHECK(result == 42);
        }
    "#]],
    );
}

#[test]
fn names_that_clash_are_changed() {
    check(
        "int x = 1;\nint f(int x) { return x; }",
        &[3.0],
        expect![[r#"
        /*
         * oracle: regression (recorded from a run)
         */
        static void test_f_1(void)
        {
            int x_arg = 3;
            int result = f(x_arg);
            CHECK(result == 3);
        }
    "#]],
    );
    check(
        "int p_data;\nint f(int *p) { return *p + p_data; }",
        &[1.0, 3.0],
        expect![[r#"
        /*
         * oracle: regression (recorded from a run)
         */
        static void test_f_1(void)
        {
            int p_data_data[1] = {3};
            int *p = p_data_data;
            int result = f(p);
            CHECK(result == 3);
        }
    "#]],
    );
}

#[test]
fn memory_is_named_by_the_way_that_leads_there() {
    check(
        "struct lexer { const char *source; int *counts[2]; };\n\
         int f(struct lexer *lexer, int **rows) { return lexer->source[0] + *lexer->counts[1] + **rows; }",
        &[1.0, 2.0, 97.0, 0.0, 0.0, 1.0, 3.0, 1.0, 1.0, 5.0],
        expect![[r#"
            /*
             * oracle: regression (recorded from a run)
             */
            static void test_f_1(void)
            {
                static char lexer_source[2] = "a";
                static int lexer_counts_1[1] = {3};
                static struct lexer lexer_data[1] = {{.source = lexer_source, .counts = {0, lexer_counts_1}}};
                static int rows_0[1] = {5};
                static int *rows_data[1] = {rows_0};
                struct lexer *lexer = lexer_data;
                int **rows = rows_data;
                int result = f(lexer, rows);
                CHECK(result == 105);
            }
        "#]],
    );
}

#[test]
fn runs_that_end_the_program_are_tests_too() {
    check(
        "extern void exit(int);\nint f(int x) { if (x) exit(7); return 0; }",
        &[1.0],
        expect![[r#"
            /*
             * oracle: regression (recorded from a run)
             */
            static void test_f_1(void)
            {
                int x = 1;
                glassbox_expect_exit(7);
                f(x);
            }
        "#]],
    );
}
