//! Faults that each sanitizer must report: `assurance/sanitizers.sh` runs this before the tests.
//! Its argument is the sanitizer.

use std::hint::black_box;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("address") => {
            let freed = {
                let value = black_box(Box::new(1_u8));
                &raw const *value
            };
            // SAFETY: none, the value is gone. That is the fault.
            println!("{}", unsafe { freed.read_volatile() });
        }
        Some("thread") => {
            static mut SHARED: u8 = 0;
            let write = || {
                for i in 0..100 {
                    // SAFETY: none, two threads write at once. That is the fault.
                    unsafe { (&raw mut SHARED).write_volatile(i) };
                }
            };
            let other = std::thread::spawn(write);
            write();
            other.join().expect("it does not panic");
        }
        _ => panic!("the argument is address or thread"),
    }
}
