//! What the JVM decides and a program can notice, by the names that the translated program has for it: methods that
//! ask, variables that hold an answer, classes whose objects cannot answer otherwise later.

/// What a method of the JDK, or the model of one, asks of the JVM that runs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Which letters are upper and lower case.
    DefaultLocale,
    /// How lines end.
    LineSeparator,
    /// Which box a number has.
    SharedBoxes,
    /// Whether two references are the same object, before one takes the other's place.
    SameObject,
    /// Whether two objects are equal that know no other equality than being the same.
    EqualObjects,
    /// Which class an object has.
    ClassOfObject,
}

/// Functions of the translated program up to their parameters, and what they ask.
const QUESTIONS: &[(&str, Question)] = &[
    ("java.lang.GlassboxModels.toLowerCase", Question::DefaultLocale),
    ("java.lang.GlassboxModels.toUpperCase", Question::DefaultLocale),
    ("java.lang.GlassboxModels.lineSeparator", Question::LineSeparator),
    ("java.lang.Integer.valueOf", Question::SharedBoxes),
    ("java.lang.Object.equals", Question::EqualObjects),
    ("java.lang.GlassboxModels.atomicCompareAndSet", Question::SameObject),
    ("java.lang.Object.getClass", Question::ClassOfObject),
];

impl Question {
    /// What a function of the translated program asks.
    #[must_use]
    pub fn of(function: &str) -> Option<Question> {
        let (name, _) = function.split_once('(')?;
        QUESTIONS.iter().find(|(asking, _)| *asking == name).map(|(_, question)| *question)
    }
}

/// What a variable of the translated program holds that neither the program nor its inputs decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Whether the assertions of a class are evaluated.
    Assertions,
    /// How `Arrays.sort` goes about it: code that compares can notice.
    SortingMethod,
    /// Identity hashes that have been given out.
    IdentityHashes,
    /// `System.out` or `System.err`.
    StandardStream,
}

impl Setting {
    /// What a variable holds, by its name.
    #[must_use]
    pub fn of(global: &str) -> Option<Setting> {
        match global {
            IDENTITY_HASHES => Some(Setting::IdentityHashes),
            "java.util.Arrays$LegacyMergeSort.userRequested" => Some(Setting::SortingMethod),
            "java.lang.System.out" | "java.lang.System.err" => Some(Setting::StandardStream),
            name if name.ends_with(".$assertionsDisabled") => Some(Setting::Assertions),
            _ => None,
        }
    }
}

/// The variable that counts identity hashes.
pub(crate) const IDENTITY_HASHES: &str = "glassbox.hashes";

/// Tables that compilers make for enumerations: they never change.
#[must_use]
pub fn is_compilers_table(field: &str) -> bool {
    field == "$VALUES" || field.starts_with("$SwitchMap$")
}

/// Whether objects of a class of the JDK never change.
#[must_use]
pub fn is_immutable(class: &str) -> bool {
    class.strip_prefix("java.lang.").is_some_and(|name| {
        matches!(
            name,
            "String"
                | "Class"
                | "Boolean"
                | "Byte"
                | "Character"
                | "Short"
                | "Integer"
                | "Long"
                | "Float"
                | "Double"
        )
    })
}
