//! Random programs whose truth is known because every input is run: what conditions, assertions and operations do.

mod c;
mod campaign;
mod java;
mod judge;
mod marked;
mod truth;

pub use campaign::{Asked, Tally, c_campaign, java_campaign, print_c, print_java};

use marked::Place;

/// One function or method of a batch.
#[derive(Debug, Clone)]
struct Function {
    name: String,
    /// Whether the inputs that are run are all there are.
    is_complete: bool,
}

/// A file with random functions, as it is asked about and as it is run.
#[derive(Debug, Clone)]
struct Batch {
    text: String,
    functions: Vec<Function>,
    places: Vec<Place>,
    /// The text with marks around conditions.
    marked: String,
    /// The functions that run the functions with all values.
    drivers: String,
    /// Errors are exceptions.
    is_java: bool,
}

impl Batch {
    fn new(marked: String, drivers: String, functions: Vec<Function>) -> Batch {
        let (text, places) = marked::plain(&marked);
        Batch { text, functions, places, marked, drivers, is_java: false }
    }

    /// The cases of a switch, as bits.
    fn cases_of(&self, probe: usize) -> u64 {
        let lines: Vec<&str> = self.text.lines().collect();
        let cases = self.places.iter().filter(|place| place.is_label && place.probe == probe);
        let numbers = cases.map(|place| {
            let label = lines[place.line - 1].trim_start().strip_prefix("case ").expect("a case");
            label.split(':').next().and_then(|digits| digits.parse::<u32>().ok()).expect("a number")
        });
        numbers.fold(0, |bits, number| bits | 1 << number)
    }
}
