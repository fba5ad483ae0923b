//! Options that the binaries share, and what follows from them.

use tautochrone::ctr::Seed;
use tautochrone::simd::Isa;
use tautochrone::zk::Params;
use tautochrone_cli::SeedBytes;
use tautochrone_cli::seed;
use zeroize::Zeroizing;

use crate::{Comm, Fault, Partial, Progress, text};

/// Which processor features and threads a rank uses, and what rank 0 prints.
#[derive(Debug, clap::Args)]
pub struct Machine {
    /// Instruction set: auto, portable, neon, avx2, avx2-gfni, avx512-base, avx512, amx
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub isa: Isa,
    /// Threads of each rank [default: the processors it may run on]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Option<u16>,
    /// Print exactly one JSON object on stdout, by rank 0
    #[arg(long)]
    pub json: bool,
}

impl Machine {
    /// Starts the threads of this rank.
    ///
    /// # Errors
    /// If they cannot be started.
    pub fn start(&self) -> Result<(), String> {
        // Where MPI binds a rank to processors, this respects it.
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or_else(available, usize::from);
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().map_err(text)
    }

    /// Progress that rank 0 shows.
    pub fn progress(&self, comm: &Comm) -> Progress {
        Progress::new(comm.is_root() && !self.json)
    }
}

/// A run that can be repeated.
#[derive(Debug, clap::Args)]
pub struct SeedArg {
    /// 64 hex digits; makes the run deterministic but for the proof [default: the operating
    /// system's entropy]
    #[arg(long, value_name = "HEX", value_parser = seed::parse)]
    pub seed: Option<SeedBytes>,
    /// Make the proof deterministic as well: if one product is ever wrong, two runs reveal the
    /// secret
    #[arg(long, requires = "seed")]
    pub reproducible: bool,
}

/// The parts of a run's seed, as the example `prove` derives them, each where it is needed.
#[derive(Debug)]
pub struct Seeds {
    /// Of A; public.
    pub a: [u8; 32],
    /// Seed of a random witness, or of the randomness under messages, where there is any.
    pub witness: Option<Seed>,
    /// Of Y and the rejection step; at rank 0 only.
    pub y: Option<Seed>,
}

impl Seeds {
    /// Rank 0 draws, or takes what was given, and tells the others what they need. The seed of A
    /// may be the one of an unfinished earlier run.
    ///
    /// # Errors
    /// If the operating system has no entropy.
    pub fn share(
        comm: &Comm,
        arg: &SeedArg,
        random_witness: bool,
        earlier: Option<(&Partial, &Params)>,
    ) -> Result<Self, Fault> {
        let seed = if !comm.is_root() {
            Ok(None)
        } else if let Some(bytes) = &arg.seed {
            eprintln!("warning: with --seed the proof's secrets are only as secret as the seed");
            Ok(Some(Seed::from_bytes(*bytes.0)))
        } else {
            Seed::from_os().map(Some)
        };
        let seed = comm.agree(seed.map_err(text))?;
        let part = |name: &'static str| {
            let bytes = seed.as_ref().map(|seed| seed::public_part(seed, name));
            Zeroizing::new(bytes.unwrap_or_default())
        };
        let mut a = *part("prove: seed of A");
        if arg.seed.is_none()
            && let Some((partial, params)) = earlier
        {
            a = partial.earlier_seed(params).unwrap_or(a);
        }
        comm.broadcast(&mut a);
        let witness = random_witness.then(|| {
            let mut bytes = part("prove: witness");
            comm.broadcast(&mut *bytes);
            Seed::from_bytes(*bytes)
        });
        let y = seed.as_ref().map(|_| Seed::from_bytes(*part("prove: Y")));
        Ok(Self { a, witness, y })
    }

    /// The seed of Y on every rank, for ranks that prove alone.
    pub fn share_y(&self, comm: &Comm) -> Seed {
        let mut bytes = Zeroizing::new(self.y.as_ref().map_or([0; 32], |seed| *seed.expose()));
        comm.broadcast(&mut *bytes);
        Seed::from_bytes(*bytes)
    }
}
