//! Work that may break: what panics inside is a bug of ours, and costs only that work.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work`; the message of what broke inside, which has been printed with its place by then.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| message(&*payload))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn what_breaks_leaves_its_message() {
        assert_eq!(guarded(|| 7), Ok(7));
        let empty: Vec<u8> = Vec::new();
        let broken = guarded(|| *empty.first().expect("a number should be there"));
        assert_eq!(broken, Err("a number should be there".to_owned()));
        let broken = guarded(|| empty[3]).expect_err("out of bounds");
        assert!(broken.contains("index out of bounds"), "{broken}");
    }
}
