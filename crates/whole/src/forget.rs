//! Forgetting what may have changed: through pointers that are not followed, and in calls.

use super::build::Builder;
use super::memory::{Content, Object, Ptr, State};

impl Builder<'_> {
    /// Forgets everything that an unknown pointer or an unknown function can change.
    pub(super) fn forget_reachable(&mut self) {
        let objects: Vec<Object> = self.memory.objects.keys().copied().collect();
        for object in objects {
            let is_reachable = matches!(object, Object::Beyond(_)) || self.is_reachable(object);
            if is_reachable {
                self.forget_object(object);
            }
            if is_reachable && matches!(object, Object::Alloc(..)) {
                // It may have been freed.
                self.memory.objects.remove(&object);
            }
        }
        self.memory.globals = Content::Unknown;
        self.memory.beyond = Content::Unknown;
    }

    pub(super) fn forget_everything(&mut self) {
        let objects: Vec<Object> = self.memory.objects.keys().copied().collect();
        for object in objects {
            self.forget_object(object);
        }
        self.memory.globals = Content::Unknown;
        self.memory.beyond = Content::Unknown;
    }

    /// What the object points to may be changed too: its pointers are numbers from now on.
    pub(super) fn forget_object(&mut self, object: Object) {
        if let Some(state) = self.memory.state(object) {
            for cell in state.cells.values() {
                self.escape(cell.value);
            }
            self.memory.objects.insert(object, State::new(Content::Unknown));
        }
    }

    /// The object that a pointer points into is written somewhere, with something of any type.
    pub(super) fn forget_target(&mut self, ptr: Ptr) {
        self.lessons.learn_unset();
        for choice in self.choices(ptr) {
            let is_seen = match choice.ptr {
                Ptr::Object { object, .. } | Ptr::Fresh { object, .. } => self.is_reachable(object),
                Ptr::Number(_) | Ptr::Func(_) | Ptr::OneOf { .. } => !choice.is_null,
            };
            if is_seen {
                self.lessons.learn_untyped();
            }
        }
        self.forget_behind(ptr);
    }

    /// The object that a pointer points into is written somewhere, by code that keeps to its type.
    pub(super) fn forget_behind(&mut self, ptr: Ptr) {
        for choice in self.choices(ptr) {
            match choice.ptr {
                _ if choice.is_null => {}
                Ptr::Object { object, .. } | Ptr::Fresh { object, .. } => {
                    self.touch(object);
                    self.forget_object(object);
                }
                Ptr::Number(_) | Ptr::Func(_) | Ptr::OneOf { .. } => self.forget_reachable(),
            }
        }
    }

    /// Pointers that are not followed may point into the object, and something may change it through them.
    pub(super) fn is_reachable(&self, object: Object) -> bool {
        match object {
            Object::Global(global) => !self.program.global(global).is_const,
            Object::Local(..) | Object::Record(_) | Object::Alloc(..) => {
                self.lessons.known.escaped.contains(&object)
            }
            Object::Beyond(_) => false,
        }
    }

    /// An object that unfollowed pointers may point to is about to change: what is known of memory behind
    /// such pointers does not hold any more.
    pub(super) fn touch(&mut self, object: Object) {
        if self.is_reachable(object) {
            self.forget_beyond();
        }
    }

    pub(super) fn forget_beyond(&mut self) {
        self.memory.objects.retain(|object, _| !matches!(object, Object::Beyond(_)));
        self.memory.beyond = Content::Unknown;
    }
}
