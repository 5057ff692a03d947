//! Objects of the JDK that people make in one expression: where code draws, they draw on an image.

use glassbox_testcase::recipe::{Named, Usual};

use crate::classfile::insn::{Constant, Insn, InvokeKind, StackOp};
use crate::reach::dynamic::Assembler;

/// A type that code asks for, the class that is made, with so many arguments that are all one, and a call on it.
struct Row {
    asked: &'static str,
    class: &'static str,
    n_ones: usize,
    call: Option<(&'static str, &'static str)>,
}

const IMAGE: &str = "java/awt/image/BufferedImage";
const DRAWING: Option<(&str, &str)> = Some(("createGraphics", "()Ljava/awt/Graphics2D;"));

const ROWS: &[Row] = &[
    Row { asked: "java/awt/Component", class: "javax/swing/JPanel", n_ones: 0, call: None },
    Row { asked: "java/awt/Container", class: "javax/swing/JPanel", n_ones: 0, call: None },
    Row { asked: "java/awt/Graphics", class: IMAGE, n_ones: 3, call: DRAWING },
    Row { asked: "java/awt/Graphics2D", class: IMAGE, n_ones: 3, call: DRAWING },
    Row { asked: "java/awt/Image", class: IMAGE, n_ones: 3, call: None },
    Row { asked: "javax/swing/JComponent", class: "javax/swing/JPanel", n_ones: 0, call: None },
];

/// How an object of a type is usually made.
pub(super) fn usual(asked: &str) -> Option<Usual> {
    let row = ROWS.iter().find(|row| row.asked == asked)?;
    Some(Usual {
        class: Named { source: row.class.replace('/', "."), internal: row.class.to_owned() },
        n_ones: row.n_ones,
        call: row.call.map(|(name, descriptor)| (name.to_owned(), descriptor.to_owned())),
    })
}

/// Leaves such an object on the stack.
pub(super) fn write(code: &mut Assembler, usual: &Usual) {
    let class = usual.class.internal.as_str();
    code.push(Insn::New(class.into()));
    code.push(Insn::Stack(StackOp::Dup));
    for _ in 0..usual.n_ones {
        code.push(Insn::Const(Constant::Int(1)));
    }
    let descriptor = format!("({})V", "I".repeat(usual.n_ones));
    code.invoke(InvokeKind::Special, class, "<init>", &descriptor);
    if let Some((name, descriptor)) = &usual.call {
        code.invoke(InvokeKind::Virtual, class, name, descriptor);
    }
}
