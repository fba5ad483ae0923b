//! [`Meter`]: what a rank did, phase by phase.

use std::time::Instant;

/// Seconds and bytes of the phases of a run.
#[derive(Clone, Debug)]
pub struct Meter {
    since: Instant,
    current: usize,
    phases: Vec<Phase>,
}

/// A phase, all its visits together. Bytes are those that this rank put into collectives and got
/// out of them; how often the library forwards them is its affair.
#[derive(Clone, Debug)]
struct Phase {
    name: &'static str,
    /// Waiting for other ranks included.
    seconds: f64,
    sent: u64,
    received: u64,
}

impl Meter {
    /// The clock starts, in a first phase.
    pub fn new(name: &'static str) -> Self {
        let phases = vec![Phase { name, seconds: 0.0, sent: 0, received: 0 }];
        Self { since: Instant::now(), current: 0, phases }
    }

    /// Leaves the current phase for another, or for one that was left before.
    pub fn enter(&mut self, name: &'static str) {
        let now = Instant::now();
        self.phases[self.current].seconds += (now - self.since).as_secs_f64();
        self.since = now;
        let found = self.phases.iter().position(|phase| phase.name == name);
        self.current = found.unwrap_or_else(|| {
            self.phases.push(Phase { name, seconds: 0.0, sent: 0, received: 0 });
            self.phases.len() - 1
        });
    }

    pub(crate) fn count(&mut self, sent: u64, received: u64) {
        self.phases[self.current].sent += sent;
        self.phases[self.current].received += received;
    }

    /// (sent, received) in all phases.
    pub fn bytes(&self) -> (u64, u64) {
        self.phases.iter().fold((0, 0), |(s, r), p| (s + p.sent, r + p.received))
    }

    /// All phases, in the order of their first visits, as a JSON array.
    pub fn json(&self) -> serde_json::Value {
        let phase = |p: &Phase| {
            serde_json::json!({
                "phase": p.name, "seconds": p.seconds, "bytes_sent": p.sent, "bytes_received": p.received,
            })
        };
        self.phases.iter().map(phase).collect()
    }
}

/// The largest resident size of this process so far, in bytes; 0 where the system does not say.
pub(crate) fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) * 1024
}
