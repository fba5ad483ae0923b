//! [`Error`].

/// Why a device cannot be used, or a request cannot be served.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no driver library, or this build does not look for one.
    #[error("no CUDA driver: {0}")]
    NoDriver(&'static str),
    /// The driver finds no device.
    #[error("no CUDA device: the driver finds none")]
    NoDevice,
    /// There are fewer devices.
    #[error("no CUDA device {got}: the driver finds {count}, counted from 0")]
    Ordinal {
        /// The device that was asked for.
        got: u32,
        /// How many there are.
        count: u32,
    },
    /// The device is older than the kernels.
    #[error(
        "the device has compute capability {}.{}; {}.{} or newer is needed", got.0, got.1, least.0, least.1
    )]
    Capability {
        /// The device's, (major, minor).
        got: (u32, u32),
        /// The requirement.
        least: (u32, u32),
    },
    /// The driver reports an error.
    #[error("CUDA: {call} failed with code {code} ({name})")]
    Driver {
        /// The call that failed.
        call: &'static str,
        /// The driver's code.
        code: u32,
        /// The driver's name for it.
        name: &'static str,
    },
    /// More words than one key and nonce give.
    #[error("{got} words asked for; one key and nonce give {most}")]
    Count {
        /// The requested value.
        got: u64,
        /// The most there are.
        most: u64,
    },
    /// A slice does not hold the entries of a matrix of this shape.
    #[error("{entries} entries do not make a matrix of {rows} x {columns}")]
    Entries {
        /// Length of the slice.
        entries: usize,
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
    },
    /// The shapes of a product do not agree.
    #[error("no product of {} x {} by {} x {}{}", x.0, x.1, y.0, y.1, ShownSum(*z))]
    Shape {
        /// Rows and columns of the left operand.
        x: (usize, usize),
        /// Rows and columns of the right operand.
        y: (usize, usize),
        /// Rows and columns of the matrix that it is added to, if any.
        z: Option<(usize, usize)>,
    },
    /// A matrix has more rows, columns or entries than the kernels can count.
    #[error(
        "a matrix of {rows} x {columns} is larger than the kernels count (2^31 - 1 rows, columns, and tiles)"
    )]
    Large {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
    },
    /// The Gaussian sampler refused sigma.
    #[error(transparent)]
    Sampler(#[from] tautochrone_gauss::Error),
}

/// Whether a device's compute capability, (major, minor), suffices.
pub(crate) fn require(got: (u32, u32), least: (u32, u32)) -> Result<(), Error> {
    if got < least { Err(Error::Capability { got, least }) } else { Ok(()) }
}

struct ShownSum(Option<(usize, usize)>);

impl core::fmt::Display for ShownSum {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.0 {
            Some((rows, columns)) => write!(f, " into {rows} x {columns}"),
            None => Ok(()),
        }
    }
}
