//! The examples of FPSE by propagation alone, digit for digit.

mod system;

use glassbox_values::Sign;

#[test]
fn every_example_is_found_digit_for_digit() {
    let mut n_examples = 0;
    for mut example in system::examples() {
        assert!(example.holds(), "example {} should give {:?}", example.name, example.expected);
        n_examples += 1;
    }
    assert_eq!(n_examples, 22, "eleven examples in two formats");
}

#[test]
fn example_5_power_350_underflows_to_positive_zero() {
    for mut example in system::examples() {
        if example.name.starts_with("5 ") {
            assert!(example.holds());
            let value = example.only_value().expect("one value");
            assert!(value.is_zero() && value.sign() == Sign::Positive, "{value:?}");
        }
    }
}
