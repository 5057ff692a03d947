//! User interfaces, loggers and what loads classes, which stand aside: what they do is not what a method is about.
//!
//! Their classes lead into windows, files and threads, and yet programs only hand things to them. So a call does nothing
//! that the program sees, what it gives is an object that programs do not look into, and constants are there. A number that the
//! program goes on with is not known, and ends the path, and so does a window, which needs a screen. Verdicts of what makes such calls name this, and a test that
//! needs more than it is no disagreement.

use super::{Intrinsic, Model};

const OF_INTERFACES: &[&str] = &[
    "com/sun/java/swing/",
    "java/applet/",
    "java/awt/",
    "javax/accessibility/",
    "javax/swing/",
    "sun/awt/",
    "sun/java2d/",
    "sun/swing/",
];

const OF_LOGGERS: &[&str] =
    &["java/lang/System$Logger", "java/util/logging/", "jdk/internal/logger/", "sun/util/logging/"];

/// Loggers that programs have on their class path.
const OF_FRAMEWORKS: &[&str] = &[
    "ch/qos/logback/",
    "org/apache/commons/logging/",
    "org/apache/log4j/",
    "org/apache/logging/log4j/",
    "org/slf4j/",
];

/// Among them, what only holds numbers and texts: its code is run, without initializers, which speak to the machine.
const PLAIN: &[&str] = &[
    "java/awt/AWTEvent",
    "java/awt/Dimension",
    "java/awt/Insets",
    "java/awt/Point",
    "java/awt/Rectangle",
    "java/awt/event/",
    "java/awt/geom/",
];

/// What asks for a screen when it is made, which JVMs that run tests seldom have.
const OF_SCREENS: &[&str] = &[
    "java/applet/Applet",
    "java/awt/Button",
    "java/awt/Checkbox",
    "java/awt/Choice",
    "java/awt/Dialog",
    "java/awt/FileDialog",
    "java/awt/Frame",
    "java/awt/Label",
    "java/awt/List",
    "java/awt/PopupMenu",
    "java/awt/Robot",
    "java/awt/ScrollPane",
    "java/awt/Scrollbar",
    "java/awt/TextArea",
    "java/awt/TextField",
    "java/awt/Window",
    "javax/swing/JApplet",
    "javax/swing/JDialog",
    "javax/swing/JFrame",
    "javax/swing/JWindow",
];

/// Whether a class of the JDK stands aside.
pub(crate) fn stands_aside(class: &str) -> bool {
    is_below(class, OF_INTERFACES) || is_below(class, OF_LOGGERS)
}

/// Whether programs do not look into objects of a class of the JDK.
pub(crate) fn is_opaque(class: &str) -> bool {
    stands_aside(class) || matches!(class, "java/lang/ClassLoader" | "java/net/URL")
}

/// Whether a class of the user's class path is part of a framework that logs.
pub(crate) fn is_logging_framework(class: &str) -> bool {
    is_below(class, OF_FRAMEWORKS)
}

/// What to do instead of running a method of a class that stands aside; `None` where its code is run.
pub(crate) fn model_of(class: &str, name: &str) -> Option<Model> {
    // Exceptions are thrown and caught, wherever they are declared.
    if class.ends_with("Exception") || class.ends_with("Error") {
        return None;
    }
    if name == "<clinit>" {
        return Some(Model::Intrinsic(Intrinsic::OwnConstants));
    }
    if name == "<init>" && OF_SCREENS.contains(&class) {
        return Some(Model::CutOff);
    }
    let is_plain = is_below(class, PLAIN);
    (!is_plain).then_some(Model::Aside)
}

/// Whether the answers of a class are taken to be no: loggers are asked before a message is made.
pub(crate) fn says_no(class: &str) -> bool {
    is_below(class, OF_LOGGERS) || is_below(class, OF_FRAMEWORKS)
}

fn is_below(class: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| class.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::{model_of, stands_aside};
    use crate::library::Model;

    #[test]
    fn only_interfaces_and_loggers_stand_aside() {
        for class in ["java/awt/Graphics", "javax/swing/JPanel", "java/util/logging/Logger"] {
            assert!(stands_aside(class), "{class}");
            assert_eq!(model_of(class, "setName"), Some(Model::Aside));
        }
        for class in ["java/util/Vector", "java/beans/PropertyChangeSupport", "java/lang/System"] {
            assert!(!stands_aside(class), "{class}");
        }
        assert_eq!(model_of("javax/swing/JFrame", "<init>"), Some(Model::CutOff));
        assert_eq!(model_of("javax/swing/JFrame", "pack"), Some(Model::Aside));
        assert_eq!(model_of("java/awt/Point", "getX"), None);
        assert_eq!(model_of("java/awt/HeadlessException", "<init>"), None);
    }
}
