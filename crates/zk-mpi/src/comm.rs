//! [`Comm`]: the collectives that the protocol needs, counted; and how a job ends as one.
//!
//! **No message is empty.** Rust's empty byte slices have address 1, which is what Open MPI calls
//! `MPI_IN_PLACE`: a rank with nothing to send would seem to have its part at the root already. So
//! every gathered message carries one byte more, and the other collectives insist on a length.

use std::cell::RefCell;
use std::process::ExitCode;

use clap::Parser;
use mpi::Threading;
use mpi::collective::SystemOperation;
use mpi::datatype::PartitionMut;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Equivalence, Root};
use tautochrone_cli::{Answer, signals};
use zeroize::Zeroizing;

use crate::meter::Meter;

/// Words whose sums wrap around in every MPI. Open MPI's vector code saturates sums of 8 and 16
/// bits (open-mpi/ompi, issue 8045).
pub trait Summand: Copy + Equivalence {}

impl Summand for u32 {}
impl Summand for u64 {}

/// The job ends with exit code 2. Rank 0 knows why; the others only that.
#[derive(Debug)]
pub struct Fault(String);

/// All ranks; rank 0 is the root of every collective.
#[allow(missing_debug_implementations, reason = "a handle of the MPI library")]
pub struct Comm {
    world: SimpleCommunicator,
    meter: RefCell<Meter>,
}

impl Comm {
    /// This rank.
    pub fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    /// How many there are.
    pub fn size(&self) -> usize {
        self.world.size() as usize
    }

    /// Whether this is rank 0.
    pub fn is_root(&self) -> bool {
        self.rank() == 0
    }

    /// Begins a phase, or goes on with one that was left: time and bytes count for it from now on.
    pub fn enter(&self, phase: &'static str) {
        self.meter.borrow_mut().enter(phase);
    }

    /// Time and bytes so far.
    pub fn meter(&self) -> Meter {
        self.meter.borrow().clone()
    }

    fn count(&self, sent: usize, received: usize) {
        self.meter.borrow_mut().count(sent as u64, received as u64);
    }

    /// Rank 0's bytes, everywhere; all ranks pass the same length, which is not 0.
    pub fn broadcast(&self, bytes: &mut [u8]) {
        assert!(!bytes.is_empty(), "no message is empty");
        self.world.process_at_rank(0).broadcast_into(bytes);
        if self.is_root() { self.count(bytes.len(), 0) } else { self.count(0, bytes.len()) }
    }

    /// Rank 0's bytes, of a length that only it knows.
    pub fn broadcast_any(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        let mut len = (bytes.len() as u64).to_le_bytes();
        self.broadcast(&mut len);
        bytes.resize(u64::from_le_bytes(len) as usize, 0);
        if !bytes.is_empty() {
            self.broadcast(&mut bytes);
        }
        bytes
    }

    /// Every rank's bytes at rank 0, in order of ranks; elsewhere nothing. What was copied on the
    /// way is erased.
    ///
    /// # Panics
    /// If rank 0 would receive 2 GiB or more: the hashes of the longest statement, b l < 2^31, are
    /// at most 512 MiB, and an element of each of 2^26 columns 1.5 GiB.
    pub fn gather(&self, bytes: &[u8]) -> Vec<Zeroizing<Vec<u8>>> {
        let root = self.world.process_at_rank(0);
        let mut message = Zeroizing::new(Vec::with_capacity(bytes.len() + 1));
        message.extend_from_slice(bytes);
        message.push(0);
        let len = i32::try_from(message.len()).expect("less than 2 GiB a message");
        if !self.is_root() {
            root.gather_into(&len);
            root.gather_varcount_into(&message[..]);
            self.count(size_of_val(&len) + message.len(), 0);
            return Vec::new();
        }
        let mut counts = vec![0_i32; self.size()];
        root.gather_into_root(&len, &mut counts[..]);
        let mut total = 0_i32;
        let mut starts = Vec::with_capacity(counts.len());
        for &count in &counts {
            starts.push(total);
            total = total.checked_add(count).expect("less than 2 GiB at rank 0");
        }
        let mut all = Zeroizing::new(vec![0_u8; total as usize]);
        {
            let mut parts = PartitionMut::new(&mut all[..], &counts[..], &starts[..]);
            root.gather_varcount_into_root(&message[..], &mut parts);
        }
        self.count(0, size_of_val(&counts[1..]) + all.len() - message.len());
        let mut rest = &all[..];
        let mut next = |&count: &i32| {
            let (part, after) = rest.split_at(count as usize);
            rest = after;
            Zeroizing::new(part[..part.len() - 1].to_vec())
        };
        counts.iter().map(&mut next).collect()
    }

    /// The sum of every rank's words modulo 2^32 or 2^64 at rank 0; `sum` is used there only.
    pub fn sum<T: Summand>(&self, part: &[T], sum: &mut [T]) {
        assert!(!part.is_empty(), "no message is empty");
        let root = self.world.process_at_rank(0);
        if self.is_root() {
            assert_eq!(part.len(), sum.len(), "the sum has as many words as each part");
            root.reduce_into_root(part, sum, SystemOperation::sum());
            self.count(0, if self.size() > 1 { size_of_val(part) } else { 0 });
        } else {
            root.reduce_into(part, SystemOperation::sum());
            self.count(size_of_val(part), 0);
        }
    }

    /// Goes on only if every rank can. The first error in order of ranks is the job's.
    ///
    /// # Errors
    /// On every rank if there is an error on any.
    pub fn agree<T>(&self, result: Result<T, String>) -> Result<T, Fault> {
        let message = result.as_ref().err().map_or("", String::as_str);
        let all = self.gather(message.as_bytes());
        let first = all.iter().enumerate().find(|(_, message)| !message.is_empty());
        let mut failed = [u8::from(first.is_some())];
        self.broadcast(&mut failed);
        match result {
            Ok(value) if failed == [0] => Ok(value),
            _ => Err(Fault(first.map_or_else(String::new, |(rank, message)| {
                format!("rank {rank}: {}", String::from_utf8_lossy(message))
            }))),
        }
    }
}

/// Starts MPI, parses the command line, runs `body`, and ends every rank with the same exit code;
/// rank 0 says why.
pub fn run<A: Parser>(body: impl FnOnce(&Comm, &A) -> Result<Answer, Fault>) -> ExitCode {
    on_panics();
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        eprintln!("error: MPI is started already");
        return ExitCode::from(2);
    };
    let comm = Comm { world: universe.world(), meter: RefCell::new(Meter::new("start")) };
    let command = A::command();
    let parsed = command.clone().try_get_matches();
    let outcome = match parsed.and_then(|matches| Ok((A::from_arg_matches(&matches)?, matches))) {
        Ok((args, matches)) => comm
            .agree(tautochrone_cli::prepare(&command, &matches).map_err(crate::text))
            .and_then(|()| body(&comm, &args)),
        Err(e) if !e.use_stderr() => {
            if comm.is_root() {
                // Nothing is left to do if stdout is closed.
                let _ = e.print();
            }
            Ok(Answer::Yes)
        }
        Err(e) => {
            let text = e.render().to_string();
            let line = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            Err(Fault(format!("{line} (see --help)")))
        }
    };
    // `universe` is dropped last, and MPI ends only when every rank came here: rank 0's line is out
    // by then.
    match outcome {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(Fault(message)) => {
            if comm.is_root() {
                eprintln!("error: {message}");
            }
            ExitCode::from(2)
        }
    }
}

/// A rank that panics must not go on to the end of MPI, where it would wait for the others for
/// ever. Like a rank that is ended by a signal, as `mpirun` sends to all once one of them was
/// killed (and says which), it removes what all ranks write.
fn on_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        print(info);
        signals::remove();
        std::process::abort();
    }));
}
