//! What contracts may not do: conditions that change something, and relations between calls that leave something behind which
//! is not put back.
//!
//! Methods are followed by their code, those of the class path included and those of the JDK left out, of which names say whether
//! they only look. Arrays that a method makes may be filled by it, and no others (`own_arrays`).

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::classfile::insn::{Insn, MemberRef};
use crate::diagnostics::Diagnostic;
use crate::influence::{handles, targets};
use crate::lower::ContractMethod;
use crate::own_arrays::changes_others;
use crate::reach::Reached;
use crate::world::MethodRef;

/// A method and the code that it has.
struct Looked {
    /// `Account.withdraw`.
    shown: String,
    is_constructor: bool,
    is_initializer: bool,
    insns: Vec<Insn>,
    /// Instructions that may change an array that the method has not made; `None` if that is not known.
    changes_others: Option<Vec<usize>>,
}

impl Looked {
    /// Whether the instruction may only change arrays that the method has made.
    fn keeps_others(&self, at: usize) -> bool {
        self.changes_others.as_ref().is_some_and(|others| !others.contains(&at))
    }

    /// Whether it is a constructor of this class.
    fn constructs(&self, class: &str) -> bool {
        let class = class.rsplit(['/', '$']).next().unwrap_or_default();
        self.is_constructor && self.shown.rsplit(['.', '$']).nth(1) == Some(class)
    }

    /// Whether it makes objects of this class, which it may change.
    fn makes(&self, class: &str) -> bool {
        self.insns.iter().any(|insn| matches!(insn, Insn::New(made) if **made == *class))
    }
}

/// Refuses the first contract of the selection that cannot be as it is.
pub(crate) fn refuse(
    reached: &mut Reached,
    contracts: &[ContractMethod],
) -> Result<(), Diagnostic> {
    for contract in contracts {
        let changed = changed_by_condition(reached, contract)
            .map(|what| format!("a condition changes nothing, but {what}"));
        let why = changed.or_else(|| {
            let what = left_behind(reached, contract)?;
            Some(format!("the calls cannot be compared: {what}, which is not put back"))
        });
        if let Some(why) = why {
            return Err(Diagnostic::new(contract.place.clone(), why));
        }
    }
    Ok(())
}

/// What a condition of a contract may change, in words.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else changes memory or calls")]
fn changed_by_condition(reached: &mut Reached, contract: &ContractMethod) -> Option<String> {
    let made = [Some(&contract.harness), contract.requirement.as_ref().map(|it| &it.method)];
    let starts: Vec<MethodRef> =
        made.into_iter().flatten().filter_map(|name| reached.find(name)).collect();
    let (class, name, descriptor) = &contract.target;
    let is_target =
        |member: &MemberRef| *member.name == **name && *member.descriptor == **descriptor;
    let is_call = |insn: &&Insn| matches!(insn, Insn::Invoke(_, member) if is_target(member) && *member.class == **class);
    // The harness makes one call; what else calls the method is a condition.
    let harness = reached.find(&contract.harness).and_then(|method| look(reached, method));
    let calls = harness.iter().flat_map(|looked| &looked.insns).filter(is_call);
    let is_alone = calls.count() <= 1;
    let harness = harness.map(|looked| looked.shown);
    follow(reached, starts, &mut |looked, at, insn| {
        let is_made = looked.shown.contains(crate::CONTRACTS);
        let makes_arrays = || looked.insns.iter().any(makes_array);
        match insn {
            Insn::PutStatic(member) if !is_made && !looked.is_initializer => {
                Err(format!("`{}` may change `{}`", looked.shown, member.name))
            }
            Insn::PutField(member) if !is_made && !looked.constructs(&member.class) => {
                Err(format!("`{}` may change `{}`", looked.shown, member.name))
            }
            Insn::ArrayStore(_) if !is_made && !looked.keeps_others(at) => {
                Err(format!("`{}` may change elements of an array", looked.shown))
            }
            // The call that the contract is about.
            Insn::Invoke(_, member)
                if is_alone && is_target(member) && harness.as_ref() == Some(&looked.shown) =>
            {
                Ok(false)
            }
            Insn::Invoke(_, member) if is_jdk(&member.class) => {
                let may_fill = !is_made && makes_arrays() && looked.keeps_others(at);
                let is_own = looked.makes(&member.class);
                match only_looks(member) || may_fill || is_own || looked.is_initializer {
                    true => Ok(true),
                    false => Err(format!("what `{}` changes is not known", member.name)),
                }
            }
            _ => Ok(true),
        }
    })
}

/// What calls that are compared may leave in static fields of the class path, in words.
#[expect(clippy::wildcard_enum_match_arm, reason = "only this changes static fields")]
fn left_behind(reached: &mut Reached, contract: &ContractMethod) -> Option<String> {
    let starts: Vec<MethodRef> =
        contract.relations.iter().filter_map(|name| reached.find(name)).collect();
    let own: BTreeSet<String> = reached.world.class_path().own_classes().iter().cloned().collect();
    follow(reached, starts, &mut |looked, _, insn| match insn {
        Insn::PutStatic(member) if !looked.is_initializer && !own.contains(&*member.class) => {
            let class = member.class.replace(['/', '$'], ".");
            Err(format!("`{}` changes `{class}.{}` of the class path", looked.shown, member.name))
        }
        _ => Ok(true),
    })
}

fn is_jdk(class: &str) -> bool {
    ["java/", "javax/", "jdk/", "sun/"].iter().any(|package| class.starts_with(package))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else makes arrays")]
pub(crate) fn makes_array(insn: &Insn) -> bool {
    match insn {
        Insn::NewPrimArray(_) | Insn::NewRefArray(_) | Insn::NewMultiArray(..) => true,
        Insn::Invoke(_, member) => {
            &*member.name == "clone"
                || member.name.starts_with("copyOf")
                || &*member.name == "toArray"
        }
        _ => false,
    }
}

/// Whether a method of the JDK changes nothing that was there before, by what it is called and where.
fn only_looks(member: &MemberRef) -> bool {
    const CLASSES: &[&str] = &[
        "java/lang/",
        "java/math/",
        "java/util/stream/",
        "java/util/function/",
        "java/util/regex/",
        "java/util/Objects",
        "java/util/Optional",
    ];
    const OTHERS: &[&str] = &[
        "java/lang/System",
        "java/lang/Thread",
        "java/lang/Runtime",
        "java/lang/Process",
        // Texts that can be changed.
        "java/lang/StringBu",
        "java/lang/Abstract",
        "java/lang/Appendable",
        "java/lang/reflect/",
        "java/lang/ref/",
        "java/lang/invoke/",
    ];
    const NAMES: &[&str] = &[
        "get",
        "is",
        "has",
        "contains",
        "size",
        "length",
        "equals",
        "compare",
        "toString",
        "index",
        "lastIndex",
        "iterator",
        "listIterator",
        "next",
        "previous",
        "stream",
        "key",
        "value",
        "entry",
        "first",
        "last",
        "peek",
        "element",
        "sub",
        "head",
        "tail",
        "to",
        "as",
        "of",
        "copyOf",
        "count",
        "min",
        "max",
        "frequency",
        "disjoint",
        "deep",
        "binarySearch",
        "mismatch",
        "intersects",
        "cardinality",
        "empty",
        "unmodifiable",
        "test",
        "apply",
        "clone",
        "floor",
        "ceiling",
        "lower",
        "higher",
        "<init>",
    ];
    let starts = |all: &[&str], text: &str| all.iter().any(|start| text.starts_with(start));
    let is_quiet_class = starts(CLASSES, &member.class) && !starts(OTHERS, &member.class);
    let is_quiet_name =
        starts(NAMES, &member.name) && !starts(&["getAnd", "compareAnd"], &member.name);
    is_quiet_class || is_quiet_name
}

/// Looks at all code that may run on behalf of these methods, but for that of the JDK. The visitor says of a call whether it is followed,
/// and of anything what ends the walk.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else calls")]
fn follow(
    reached: &mut Reached,
    starts: Vec<MethodRef>,
    visit: &mut dyn FnMut(&Looked, usize, &Insn) -> Result<bool, String>,
) -> Option<String> {
    let mut seen: BTreeSet<MethodRef> = starts.iter().copied().collect();
    let mut open = starts;
    while let Some(method) = open.pop() {
        let Some(looked) = look(reached, method) else { continue };
        for (at, insn) in looked.insns.iter().enumerate() {
            match visit(&looked, at, insn) {
                Err(what) => return Some(what),
                Ok(false) => continue,
                Ok(true) => {}
            }
            let mut called: Vec<MethodRef> = Vec::new();
            match insn {
                Insn::Invoke(kind, member) => called.extend(targets(reached, *kind, member)),
                Insn::InvokeDynamic(call) => {
                    for (kind, member) in handles(call) {
                        called.extend(targets(reached, kind, member));
                    }
                }
                _ => {}
            }
            open.extend(called.into_iter().filter(|&one| seen.insert(one)));
        }
    }
    None
}

fn look(reached: &Reached, method: MethodRef) -> Option<Looked> {
    let declared = reached.world.method(method).clone();
    let file = reached.world.info(method.class).class().map(Rc::clone)?;
    let code = file.code(&declared).ok().flatten()?;
    let class = reached.world.info(method.class).dotted_name();
    let class = class.rsplit('.').next().unwrap_or_default();
    Some(Looked {
        shown: format!("{class}.{}", declared.name),
        is_constructor: &*declared.name == "<init>",
        is_initializer: &*declared.name == "<clinit>",
        changes_others: changes_others(&code, &declared.descriptor),
        insns: code.insns.clone(),
    })
}
