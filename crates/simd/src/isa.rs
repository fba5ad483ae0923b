//! [`Isa`]: which of the detected features a computation may use.

use core::fmt;
use core::str::FromStr;

use crate::tier::{HIGHEST, IsaError, TIER_NAMES, TIERS, Tier};
use crate::token::Feature;
use crate::{cpu, environment};

/// A set of instruction-set features, each of them detected on this CPU: the only source of tokens.
///
/// A tier holds the features of it that the CPU has; it is offered when its defining step is
/// there.
///
/// ```
/// use tautochrone_simd::Isa;
///
/// let best = Isa::detect();
/// for isa in Isa::all() {
///     println!("{isa}"); // portable first
/// }
/// assert!(Isa::named("portable")? == Isa::PORTABLE);
/// # Ok::<(), tautochrone_simd::IsaError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Isa {
    // Invariant: a closed subset of `cpu::detected()`, with AMX only if `cpu::tiles_granted()`.
    features: u32,
    tier: u8,
}

impl Isa {
    /// No feature at all: the portable code paths.
    pub const PORTABLE: Self = Self { features: 0, tier: 0 };

    /// The best tier of this CPU below the caps of the build and of
    /// [`ENVIRONMENT`](crate::ENVIRONMENT).
    ///
    /// If that may be `amx`, the operating system is asked for the tile state, once per process:
    /// see the [crate documentation](crate#asking-for-amx).
    #[must_use]
    pub fn detect() -> Self {
        Machine::here().best()
    }

    /// The best tier without tiles: what code that has no use for them runs on. Never makes a
    /// system call on behalf of AMX.
    #[must_use]
    pub fn detect_vectors() -> Self {
        Machine::here().best_without_tiles()
    }

    /// Every distinct tier of this CPU, portable first, best last: for tests and benches. The step
    /// to `amx`, at the end, asks the operating system for the tile state.
    #[must_use]
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        Machine::here().tiers()
    }

    /// The tier of that name; `auto` is [`Isa::detect`]. A name below `amx` that this machine has
    /// never makes the system call that asks for AMX.
    ///
    /// # Errors
    /// [`IsaError::Unknown`] for a name not in [`TIER_NAMES`]; [`IsaError::Unavailable`] for one
    /// this machine lacks.
    pub fn named(name: &str) -> Result<Self, IsaError> {
        Machine::here().named(name)
    }

    /// Whether the variable [`ENVIRONMENT`](crate::ENVIRONMENT) is unset, empty, or has a name that
    /// [`Isa::named`] knows. Detection takes any other value for none: a library has nobody to
    /// tell. A program has, and should call this first.
    ///
    /// # Errors
    /// [`IsaError::Unknown`] for any other value.
    pub fn check_environment() -> Result<(), IsaError> {
        environment::check()
    }

    /// This set less `feature` and less everything that includes it.
    #[must_use]
    pub const fn without(self, feature: Feature) -> Self {
        Self { features: Feature::closure(self.features & !feature.bit()), tier: self.tier }
    }

    /// Name of the tier this set was made from, one of [`TIER_NAMES`].
    #[must_use]
    pub const fn name(self) -> &'static str {
        TIER_NAMES[self.tier as usize]
    }

    pub(crate) const fn holds(self, feature: Feature) -> bool {
        self.features & feature.bit() != 0
    }
}

/// The features that tiers are offered from.
#[derive(Clone, Copy)]
struct Machine {
    /// A closed set, with AMX if CPU and operating system know tiles.
    features: u32,
    /// Index of the highest tier that is allowed.
    cap: u8,
    /// Asks whether this process may use tiles.
    tiles_granted: fn() -> bool,
}

impl Machine {
    fn here() -> Self {
        Self {
            features: cpu::detected(),
            cap: built_cap().min(environment::cap()),
            tiles_granted: cpu::tiles_granted,
        }
    }

    fn best(self) -> Isa {
        self.tiers().next_back().unwrap_or(Isa::PORTABLE)
    }

    fn best_without_tiles(self) -> Isa {
        Self { cap: self.cap.min(HIGHEST - 1), ..self }.best()
    }

    fn tiers(self) -> impl DoubleEndedIterator<Item = Isa> + Clone {
        (0..=self.cap).filter_map(move |tier| self.tier(tier))
    }

    fn named(self, name: &str) -> Result<Isa, IsaError> {
        if name == "auto" {
            return Ok(self.best());
        }
        let index = TIER_NAMES.iter().position(|&n| n == name).ok_or(IsaError::Unknown)?;
        self.tier(index as u8).ok_or_else(|| IsaError::Unavailable {
            name: TIER_NAMES[index],
            best: self.best().name(),
        })
    }

    /// The tier, if it is allowed and the CPU has what tells it apart from those below.
    fn tier(self, tier: u8) -> Option<Isa> {
        let Tier { features, marks, .. } = TIERS[usize::from(tier)];
        let features = Feature::closure(self.features & features);
        if tier > self.cap || features & marks != marks {
            return None;
        }
        // Asked last, when nothing else is in the way of tiles: the question is a system call.
        let tiles = features & Feature::Amx.bit() != 0;
        (!tiles || (self.tiles_granted)()).then_some(Isa { features, tier })
    }
}

/// Index of the highest tier that the build allows.
const fn built_cap() -> u8 {
    if cfg!(tautochrone_isa = "portable") {
        0
    } else if cfg!(tautochrone_isa = "neon") {
        1
    } else if cfg!(tautochrone_isa = "avx2") {
        2
    } else if cfg!(tautochrone_isa = "avx2-gfni") {
        3
    } else if cfg!(tautochrone_isa = "avx512-base") {
        4
    } else if cfg!(tautochrone_isa = "avx512") {
        5
    } else {
        HIGHEST
    }
}

impl Default for Isa {
    fn default() -> Self {
        Self::detect()
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Isa({}:", self.name())?;
        for feature in Feature::ALL.into_iter().filter(|&feature| self.holds(feature)) {
            write!(f, " {feature:?}")?;
        }
        f.write_str(")")
    }
}

impl FromStr for Isa {
    type Err = IsaError;

    fn from_str(name: &str) -> Result<Self, IsaError> {
        Self::named(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tier::{AMX, AVX512, NEON};
    use std::cell::Cell;
    use std::string::ToString;
    use std::vec::Vec;

    #[test]
    fn tiers_ascend_and_are_found_by_name() {
        let all: Vec<Isa> = Isa::all().collect();
        assert_eq!(all[0], Isa::PORTABLE);
        assert_eq!(*all.last().unwrap(), Isa::detect());
        for isa in all {
            assert_eq!(Isa::named(isa.name()), Ok(isa));
            assert_eq!(isa.to_string().parse(), Ok(isa));
        }
        assert_eq!(Isa::named("auto"), Ok(Isa::detect()));
        assert_eq!(Isa::named("sse9"), Err(IsaError::Unknown));
    }

    std::thread_local! {
        static ASKED: Cell<u32> = const { Cell::new(0) };
    }

    fn grants() -> bool {
        ASKED.set(ASKED.get() + 1);
        true
    }

    fn refuses() -> bool {
        ASKED.set(ASKED.get() + 1);
        false
    }

    /// How often the operating system is asked for tiles meanwhile, and what comes out.
    fn asked<T>(f: impl FnOnce() -> T) -> (u32, T) {
        ASKED.set(0);
        let result = f();
        (ASKED.get(), result)
    }

    /// A CPU with everything, of all architectures: this one may be any.
    const WITH_TILES: Machine =
        Machine { features: AMX | NEON, cap: HIGHEST, tiles_granted: grants };

    #[test]
    fn only_the_tier_with_tiles_asks_for_them() {
        for name in &TIER_NAMES[..usize::from(HIGHEST)] {
            let (times, isa) = asked(|| WITH_TILES.named(name));
            assert_eq!((times, isa.unwrap().name()), (0, *name));
        }
        let (times, isa) = asked(|| WITH_TILES.best_without_tiles());
        assert_eq!((times, isa.name()), (0, "avx512"));
        for name in ["amx", "auto"] {
            let (times, isa) = asked(|| WITH_TILES.named(name).unwrap());
            assert_eq!((times, isa.name()), (1, "amx"));
            assert!(isa.amx().is_some());
        }
        let (times, names) = asked(|| WITH_TILES.tiers().map(Isa::name).collect::<Vec<_>>());
        assert_eq!((times, &names[..]), (1, &TIER_NAMES[..]));
        assert_eq!(asked(|| WITH_TILES.named("sse9")), (0, Err(IsaError::Unknown)));
    }

    #[test]
    fn below_a_cap_nothing_asks_for_tiles() {
        for cap in 0..HIGHEST {
            let machine = Machine { cap, ..WITH_TILES };
            let best = TIER_NAMES[usize::from(cap)];
            for name in ["auto", "amx", "avx2", "portable"] {
                let (times, isa) = asked(|| machine.named(name));
                let known = TIER_NAMES.iter().position(|&n| n == name);
                let want = match known {
                    Some(index) if index > usize::from(cap) => {
                        Err(IsaError::Unavailable { name: TIER_NAMES[index], best })
                    }
                    Some(_) => Ok(name),
                    None => Ok(best),
                };
                assert_eq!((times, isa.map(Isa::name)), (0, want), "{name} below {best}");
            }
            assert_eq!(asked(|| machine.tiers().count()), (0, usize::from(cap) + 1));
        }
    }

    /// Tiers of another architecture have their places in the order, and no features.
    #[test]
    fn tiers_of_another_architecture_are_not_offered() {
        let x86 = Machine { features: AVX512, ..WITH_TILES };
        let arm = Machine { features: NEON, ..WITH_TILES };
        let names = |machine: Machine| machine.tiers().map(Isa::name).collect::<Vec<_>>();
        assert_eq!(names(x86), ["portable", "avx2", "avx2-gfni", "avx512-base", "avx512"]);
        assert_eq!(names(arm), ["portable", "neon"]);
        let cap = |name| TIER_NAMES.iter().position(|&tier| tier == name).unwrap() as u8;
        assert_eq!(names(Machine { cap: cap("neon"), ..x86 }), ["portable"]);
        assert_eq!(names(Machine { cap: cap("avx2"), ..arm }), ["portable", "neon"]);
        assert_eq!(names(Machine { cap: cap("portable"), ..arm }), ["portable"]);
        for (machine, name, best) in [(x86, "neon", "avx512"), (arm, "avx2", "neon")] {
            assert_eq!(machine.named(name), Err(IsaError::Unavailable { name, best }));
        }
        let neon = arm.named("neon").unwrap();
        assert!(neon.neon().is_some() && neon.arm_aes().is_some() && neon.dot_prod().is_some());
        assert!(neon.avx2().is_none() && neon.aes_ni().is_none());
    }

    /// A CPU without them is not asked for them; and they may be refused for any reason: no
    /// permission, no memory, a kernel that is too old.
    #[test]
    fn tiles_that_are_not_there_are_not_offered() {
        let without = Machine { features: AVX512, ..WITH_TILES };
        let refused = Machine { tiles_granted: refuses, ..WITH_TILES };
        for (machine, times) in [(without, 0), (refused, 1)] {
            assert_eq!(asked(|| machine.best().name()), (times, "avx512"));
            assert_eq!(machine.tiers().next_back().map(Isa::name), Some("avx512"));
            assert!(machine.tiers().all(|isa| isa.amx().is_none()));
            let (asked, named) = asked(|| machine.named("amx"));
            assert_eq!(asked > 0, times > 0);
            assert_eq!(named, Err(IsaError::Unavailable { name: "amx", best: "avx512" }));
        }
    }

    #[test]
    fn removing_a_feature_removes_what_includes_it() {
        for isa in Isa::all() {
            let none = isa.without(Feature::Avx2);
            assert!(none.avx2().is_none() && none.avx512().is_none() && none.amx().is_none());
            assert!(none.gfni().is_none() && none.vaes().is_none() && none.ifma().is_none());
            assert_eq!(none.aes_ni(), isa.aes_ni(), "AES-NI does not include AVX2");
        }
        assert!(Isa::detect().without(Feature::Gfni).gfni().is_none());
        let none = Isa::detect().without(Feature::Avx512);
        assert!(none.ifma().is_none() && none.vbmi().is_none() && none.vnni().is_none());
        let neon = Machine { features: NEON, ..WITH_TILES }.best();
        assert!(neon.without(Feature::DotProd).arm_aes().is_some());
        let none = neon.without(Feature::Neon);
        assert!(none.neon().is_none() && none.arm_aes().is_none() && none.dot_prod().is_none());
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn detection_agrees_with_the_standard_library() {
        use std::arch::is_x86_feature_detected as has;
        let set = cpu::detected();
        let bit = |f: Feature| set & f.bit() != 0;
        let avx2 = has!("avx2") && has!("fma") && has!("bmi1") && has!("bmi2") && has!("popcnt");
        let avx512 = avx2
            && has!("f16c")
            && has!("avx512f")
            && has!("avx512bw")
            && has!("avx512dq")
            && has!("avx512vl")
            && has!("avx512cd");
        assert_eq!(bit(Feature::Avx2), avx2);
        assert_eq!(bit(Feature::AesNi), has!("aes") && has!("sse4.1"));
        assert_eq!(bit(Feature::Adx), has!("adx") && has!("bmi2"));
        assert_eq!(bit(Feature::Gfni), avx2 && has!("gfni"));
        assert_eq!(bit(Feature::Vaes), avx2 && has!("aes") && has!("vaes"));
        assert_eq!(bit(Feature::Avx512), avx512);
        assert_eq!(bit(Feature::Ifma), avx512 && has!("avx512ifma"));
        assert_eq!(bit(Feature::Vbmi), avx512 && has!("avx512vbmi") && has!("avx512vbmi2"));
        assert_eq!(bit(Feature::Vnni), avx512 && has!("avx512vnni"));
    }
}
