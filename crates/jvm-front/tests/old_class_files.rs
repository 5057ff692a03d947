//! Opcodes that today's compilers do not write: subroutines, wide forms, stack shuffles, in class files
//! made by hand.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

mod kit;

use glassbox_testkit::Random;

/// A class file of version 45 with static methods given as bytes.
struct Maker {
    pool: Vec<u8>,
    n_entries: u16,
    methods: Vec<u8>,
    n_methods: u16,
}

impl Maker {
    fn new(name: &str) -> Maker {
        let mut maker = Maker { pool: Vec::new(), n_entries: 1, methods: Vec::new(), n_methods: 0 };
        let name = maker.utf8(name);
        maker.pool.push(7);
        maker.pool.extend(name.to_be_bytes());
        maker.n_entries += 1;
        let object = maker.utf8("java/lang/Object");
        maker.pool.push(7);
        maker.pool.extend(object.to_be_bytes());
        maker.n_entries += 1;
        maker.utf8("Code");
        maker
    }

    fn utf8(&mut self, text: &str) -> u16 {
        self.pool.push(1);
        self.pool.extend(u16::try_from(text.len()).expect("short").to_be_bytes());
        self.pool.extend(text.as_bytes());
        self.n_entries += 1;
        self.n_entries - 1
    }

    fn method(&mut self, name: &str, descriptor: &str, n_locals: u16, code: &[u8]) {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        // public static
        self.methods.extend(9u16.to_be_bytes());
        self.methods.extend(name.to_be_bytes());
        self.methods.extend(descriptor.to_be_bytes());
        self.methods.extend(1u16.to_be_bytes());
        // "Code" is entry 5.
        self.methods.extend(5u16.to_be_bytes());
        let len = u32::try_from(code.len()).expect("short");
        self.methods.extend((12 + len).to_be_bytes());
        self.methods.extend(16u16.to_be_bytes());
        self.methods.extend(n_locals.to_be_bytes());
        self.methods.extend(len.to_be_bytes());
        self.methods.extend(code);
        self.methods.extend([0; 4]);
        self.n_methods += 1;
    }

    fn finish(self) -> Vec<u8> {
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 3, 0, 45];
        bytes.extend(self.n_entries.to_be_bytes());
        bytes.extend(&self.pool);
        // public super; this class is entry 2, its superclass 4.
        bytes.extend([0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0]);
        bytes.extend(self.n_methods.to_be_bytes());
        bytes.extend(&self.methods);
        bytes.extend([0, 0]);
        bytes
    }
}

fn subroutines(maker: &mut Maker) {
    // x = 2x in a subroutine, called before and after x += 5.
    maker.method(
        "jsr",
        "(I)I",
        3,
        &[
            0x1a, 0x3c, 0xa8, 0x00, 0x0d, 0x84, 0x01, 0x05, 0xa8, 0x00, 0x07, 0x1b, 0xac, 0x00,
            0x00, 0x4d, 0x1b, 0x05, 0x68, 0x3c, 0xa9, 0x02,
        ],
    );
    // The same with jsr_w and wide ret through variable 300.
    maker.method(
        "jsrWide",
        "(I)I",
        301,
        &[
            0x1a, 0x3c, 0xc9, 0x00, 0x00, 0x00, 0x0d, 0x1b, 0xac, 0x00, 0x00, 0x00, 0x00, 0x00,
            0x00, 0xc4, 0x3a, 0x01, 0x2c, 0x1b, 0x05, 0x68, 0x3c, 0xc4, 0xa9, 0x01, 0x2c,
        ],
    );
}

fn wide_forms(maker: &mut Maker) {
    // Stores to variable 300, adds -1000 with wide iinc, loads, returns through goto_w.
    maker.method(
        "wide",
        "(I)I",
        302,
        &[
            0x1a, 0xc4, 0x36, 0x01, 0x2c, 0xc4, 0x84, 0x01, 0x2c, 0xfc, 0x18, 0xc8, 0x00, 0x00,
            0x00, 0x06, 0x03, 0xc4, 0x15, 0x01, 0x2c, 0xac,
        ],
    );
    // The same for long, with lstore and lload.
    maker.method(
        "wideLong",
        "(J)J",
        304,
        &[0x1e, 0xc4, 0x37, 0x01, 0x2c, 0xc4, 0x16, 0x01, 0x2c, 0x0a, 0x61, 0xad],
    );
}

fn shuffles(maker: &mut Maker) {
    // swap: b - a.
    maker.method("swap", "(II)I", 2, &[0x1a, 0x1b, 0x5f, 0x64, 0xac]);
    // dup_x1: b, a, b -> b - (a - b) … iload a b, dup_x1, isub, isub.
    maker.method("dupX1", "(II)I", 2, &[0x1a, 0x1b, 0x5a, 0x64, 0x64, 0xac]);
    // dup_x2 over two ints: c a b c.
    maker.method("dupX2", "(III)I", 3, &[0x1a, 0x1b, 0x1c, 0x5b, 0x64, 0x64, 0x64, 0xac]);
    // dup_x2 over a long: i (long) i.
    maker.method(
        "dupX2Long",
        "(JI)J",
        3,
        &[0x1e, 0x1c, 0x5b, 0x85, 0x61, 0x3f, 0x85, 0x1e, 0x65, 0xad],
    );
    // dup2 of two ints: a b a b.
    maker.method("dup2", "(II)I", 2, &[0x1a, 0x1b, 0x5c, 0x64, 0x68, 0x64, 0xac]);
    // dup2_x1: b c a b c.
    maker.method("dup2X1", "(III)I", 3, &[0x1a, 0x1b, 0x1c, 0x5d, 0x64, 0x64, 0x68, 0x64, 0xac]);
    // dup2_x2 of longs: b a b.
    maker.method("dup2X2Long", "(JJ)J", 4, &[0x1e, 0x20, 0x5e, 0x65, 0x65, 0xad]);
    // pop2 of two ints and of a long; nop.
    maker.method("pop2", "(IJ)I", 3, &[0x1a, 0x1a, 0x1a, 0x58, 0x1f, 0x58, 0x00, 0xac]);
}

#[test]
fn hand_made_class_files_end_as_on_the_jvm() {
    let folder = tempfile::tempdir().expect("a folder");
    kit::compile(&[], folder.path());
    let mut maker = Maker::new("Old");
    subroutines(&mut maker);
    wide_forms(&mut maker);
    shuffles(&mut maker);
    std::fs::write(folder.path().join("Old.class"), maker.finish())
        .expect("the folder is writable");
    let java = kit::translate_class(folder.path(), "Old");
    let cases = kit::run_class(&java, "Old", 25, &mut Random::new(9));
    assert!(cases.len() > 250);
    let complaints = kit::compare(folder.path(), &cases);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
