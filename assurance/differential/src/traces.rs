//! Traces of the calls of a routine, each compared with the first while it runs.

use std::fmt::{self, Write};

use crate::request::CONTROL;

/// The actions of a call that an observer of the machine may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The instruction at this address is executed.
    Executed(u64),
    /// Memory is read or written: where, and how (size and direction, as qemu has them).
    Accessed(u64, u32),
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Executed(address) => write!(f, "execution at {address:#x}"),
            Self::Accessed(address, _) => write!(f, "access of {address:#x}"),
        }
    }
}

/// Where a call first does something else than the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which call, from 0 on.
    pub call: usize,
    /// How many instructions it had executed, the last included.
    pub instructions: usize,
    /// Where the last instruction is that both calls executed.
    pub after: u64,
    /// The action of the first call; nothing at its end.
    pub first: Option<Event>,
    /// The action of this one.
    pub this: Option<Event>,
}

/// The calls of one routine.
#[derive(Debug, Default)]
pub struct Traces {
    name: String,
    first: Vec<Event>,
    calls: usize,
    /// The numbers of events and instructions of the call that is running, if one is.
    running: Option<(usize, usize)>,
    /// The thread that runs it.
    thread: u32,
    /// Whether another one did something meanwhile, in an order that is the machine's.
    several: bool,
    /// The last instruction.
    last: u64,
    difference: Option<Difference>,
}

impl Traces {
    /// The next byte of the name of the routine.
    pub fn name(&mut self, byte: u8) {
        self.name.push(byte.into());
    }

    /// A call begins.
    pub fn begin(&mut self, thread: u32) {
        self.running = Some((0, 0));
        self.thread = thread;
        self.last = 0;
    }

    /// Something happens in a call. Between calls nothing counts.
    pub fn push(&mut self, thread: u32, event: Event) {
        let Some((at, instructions)) = &mut self.running else { return };
        if thread != self.thread {
            self.several = true;
            return;
        }
        if self.calls == 0 {
            self.first.push(event);
        } else if self.difference.is_none() && self.first.get(*at) != Some(&event) {
            self.difference = Some(Difference {
                call: self.calls,
                instructions: *instructions,
                after: self.last,
                first: self.first.get(*at).copied(),
                this: Some(event),
            });
        }
        *at += 1;
        if let Event::Executed(address) = event {
            *instructions += 1;
            self.last = address;
        }
    }

    /// A call ends.
    pub fn end(&mut self) {
        let Some((at, instructions)) = self.running.take() else { return };
        if let Some(&event) = self.first.get(at)
            && self.difference.is_none()
        {
            self.difference = Some(Difference {
                call: self.calls,
                instructions,
                after: self.last,
                first: Some(event),
                this: None,
            });
        }
        self.calls += 1;
    }

    /// A description of the routine, and whether it is as it should be: all calls do the
    /// same, unless it is a control. Of a place its name is said, if it has one.
    pub fn verdict(&self, symbol: impl Fn(u64) -> Option<String>) -> (String, bool) {
        let Self { name, calls, difference, .. } = self;
        let control = name.starts_with(CONTROL);
        let executed = |event: &&Event| matches!(event, Event::Executed(_));
        let instructions = self.first.iter().filter(executed).count();
        let accesses = self.first.len() - instructions;
        let mut line = String::new();
        let compared = *calls > 1 && instructions > 0 && !self.several;
        let good = compared && control == difference.is_some();
        let word = if good { "ok    " } else { "BROKEN" };
        let _ = write!(
            line,
            "{word} {name:<24} {calls} calls, {instructions} instructions, {accesses} accesses: "
        );
        match difference {
            _ if self.several => line += "several threads, of which one can be followed",
            None => line += "the same",
            Some(difference) => {
                let end = || "the end".to_owned();
                let place = symbol(difference.after).unwrap_or_default();
                let _ = write!(
                    line,
                    "call {} differs after {} instructions, at {:#x} {place}: {}, not {}",
                    difference.call,
                    difference.instructions,
                    difference.after,
                    difference.this.map_or_else(end, |event| event.to_string()),
                    difference.first.map_or_else(end, |event| event.to_string()),
                );
            }
        }
        (line, good)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traces(name: &str, calls: &[&[Event]]) -> Traces {
        let mut traces = Traces::default();
        name.bytes().for_each(|byte| traces.name(byte));
        for call in calls {
            // Work between calls does not count.
            traces.push(0, Event::Executed(99));
            traces.begin(0);
            call.iter().for_each(|&event| traces.push(0, event));
            traces.end();
        }
        traces
    }

    const SHORT: &[Event] = &[Event::Executed(4), Event::Accessed(100, 2), Event::Executed(8)];
    const LONG: &[Event] =
        &[Event::Executed(4), Event::Accessed(100, 2), Event::Executed(8), Event::Executed(12)];

    fn difference(first: &[Event], second: &[Event]) -> Difference {
        traces("x", &[first, first, second]).difference.expect("a difference")
    }

    #[test]
    fn equal_calls_are_the_same() {
        let (line, good) = traces("x", &[LONG, LONG, LONG]).verdict(|_| None);
        assert!(good && line.ends_with("3 calls, 3 instructions, 1 accesses: the same"), "{line}");
    }

    #[test]
    fn each_kind_of_difference_is_found() {
        let path = &[Event::Executed(4), Event::Accessed(100, 2), Event::Executed(16)];
        let expected = Difference {
            call: 2,
            instructions: 1,
            after: 4,
            first: Some(Event::Executed(8)),
            this: Some(Event::Executed(16)),
        };
        assert_eq!(difference(SHORT, path), expected);
        let address = &[Event::Executed(4), Event::Accessed(108, 2), Event::Executed(8)];
        assert_eq!(difference(SHORT, address).this, Some(Event::Accessed(108, 2)));
        let size = &[Event::Executed(4), Event::Accessed(100, 3), Event::Executed(8)];
        assert_eq!(difference(SHORT, size).this, Some(Event::Accessed(100, 3)));
        let longer = difference(SHORT, LONG);
        assert_eq!((longer.first, longer.this), (None, Some(Event::Executed(12))));
        let shorter = difference(LONG, SHORT);
        assert_eq!((shorter.first, shorter.this), (Some(Event::Executed(12)), None));
    }

    #[test]
    fn controls_must_differ_and_nothing_else() {
        assert!(traces("control (x)", &[SHORT, LONG]).verdict(|_| None).1);
        assert!(!traces("control (x)", &[SHORT, SHORT]).verdict(|_| None).1);
        assert!(!traces("x", &[SHORT, LONG]).verdict(|_| None).1);
        let (line, _) = traces("x", &[SHORT, LONG]).verdict(|at| Some(format!("symbol_{at}")));
        assert!(line.starts_with("BROKEN") && line.contains("symbol_8"), "{line}");
    }

    #[test]
    fn threads_are_not_mixed() {
        let mut traces = traces("x", &[SHORT, SHORT]);
        traces.push(1, Event::Executed(4));
        assert!(traces.verdict(|_| None).1, "between calls");
        traces.begin(0);
        traces.push(1, Event::Executed(4));
        SHORT.iter().for_each(|&event| traces.push(0, event));
        traces.end();
        assert!(!traces.verdict(|_| None).1);
    }

    #[test]
    fn nothing_is_not_a_success() {
        assert!(!traces("x", &[]).verdict(|_| None).1);
        assert!(!traces("x", &[SHORT]).verdict(|_| None).1, "one call, compared with none");
        assert!(!traces("x", &[&[], &[]]).verdict(|_| None).1, "calls in which nothing was seen");
    }
}
