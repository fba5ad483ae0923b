//! `--device`: where products and Gaussian samples are computed.

use std::fmt::{Display, Formatter};
use std::sync::Arc;

use tautochrone_kernels::Gpu;
use tautochrone_zk::PublicMatrix;

use crate::failure::Failure;

/// The flag; `#[command(flatten)]` it.
#[derive(Debug, clap::Args)]
pub struct Choice {
    /// Where products and Gaussian samples are computed: gpu needs an NVIDIA GPU and a build with `--features cuda`
    #[arg(long, value_name = "NAME", value_parser = ["cpu", "gpu"], default_value = "cpu")]
    device: String,
}

/// A device that is ready, or none: the CPU.
pub struct Opened(Option<Arc<Gpu>>);

impl Choice {
    /// Opens the device before any work is done.
    pub fn open(&self) -> Result<Opened, Failure> {
        match &*self.device {
            "gpu" => Gpu::open().map(|gpu| Opened(Some(Arc::new(gpu)))).map_err(Failure::new),
            _ => Ok(Opened(None)),
        }
    }
}

impl Opened {
    /// A matrix whose products are computed there.
    pub fn attach(&self, a: PublicMatrix) -> PublicMatrix {
        match &self.0 {
            Some(gpu) => a.with_device(gpu.clone()),
            None => a,
        }
    }

    /// The device's name.
    pub fn name(&self) -> &str {
        self.0.as_ref().map_or("cpu", |gpu| gpu.name())
    }
}

impl std::fmt::Debug for Opened {
    /// The name alone.
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Opened").field(&self.name()).finish()
    }
}

impl Display for Opened {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Some(gpu) => write!(f, ", {}", gpu.name()),
            None => Ok(()),
        }
    }
}
