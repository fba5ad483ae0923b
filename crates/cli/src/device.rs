//! `--device`: where products and Gaussian samples are computed.

use std::fmt::{Display, Formatter};

#[cfg(feature = "cuda")]
use std::sync::Arc;
#[cfg(feature = "cuda")]
use tautochrone_kernels::Gpu;
use tautochrone_zk::PublicMatrix;

use crate::failure::Failure;

/// The flag; `#[command(flatten)]` it.
#[derive(Debug, clap::Args)]
pub struct Choice {
    /// Where products and Gaussian samples are computed: gpu needs an NVIDIA GPU and a build with
    /// `--features cuda`
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    device: Name,
}

/// The choices.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Name {
    #[default]
    Cpu,
    Gpu,
}

/// A device that is ready.
#[derive(Debug)]
pub enum Opened {
    /// No device.
    Cpu,
    /// A GPU.
    #[cfg(feature = "cuda")]
    Gpu(Arc<Gpu>),
}

impl Choice {
    /// Opens the device before any work is done.
    pub fn open(&self) -> Result<Opened, Failure> {
        match self.device {
            Name::Cpu => Ok(Opened::Cpu),
            #[cfg(feature = "cuda")]
            Name::Gpu => Gpu::open().map(|gpu| Opened::Gpu(Arc::new(gpu))).map_err(Failure::new),
            #[cfg(not(feature = "cuda"))]
            Name::Gpu => Err(Failure::new(
                "no CUDA driver: this program was built without the feature `cuda`",
            )),
        }
    }
}

impl Opened {
    /// A matrix whose products are computed there.
    #[must_use]
    pub fn attach(&self, a: PublicMatrix) -> PublicMatrix {
        match self {
            Self::Cpu => a,
            #[cfg(feature = "cuda")]
            Self::Gpu(gpu) => a.with_device(gpu.clone()),
        }
    }

    /// The device's name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Cpu => "cpu",
            #[cfg(feature = "cuda")]
            Self::Gpu(gpu) => gpu.name(),
        }
    }
}

impl Display for Opened {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cpu => f.write_str(""),
            #[cfg(feature = "cuda")]
            Self::Gpu(gpu) => write!(f, ", {}", gpu.name()),
        }
    }
}
