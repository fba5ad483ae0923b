//! Which registers may hold secrets before each instruction, over all paths.

use std::collections::BTreeSet;

use super::parse::{Instruction, Kernel, names};

type Secret = BTreeSet<String>;

/// The instructions of a kernel whose time or address may depend on a secret. All of global, shared
/// and local memory is secret, and structures passed by value if `structures_are_secret`; other
/// parameters, sizes and pointers, are not.
pub(crate) fn leaks(kernel: &Kernel, structures_are_secret: bool) -> Vec<String> {
    let before = secrets(kernel, structures_are_secret);
    kernel
        .instructions
        .iter()
        .zip(&before)
        .filter_map(|(instruction, secret)| Some((instruction, secret.as_ref()?)))
        .filter(|(instruction, secret)| leaks_one(instruction, secret))
        .map(|(instruction, _)| instruction.text.clone())
        .collect()
}

/// The secrets before each instruction; nothing is known of one that is not reached.
fn secrets(kernel: &Kernel, structures_are_secret: bool) -> Vec<Option<Secret>> {
    let mut before: Vec<Option<Secret>> = vec![None; kernel.instructions.len()];
    let mut to_do = vec![(0, Secret::new())];
    while let Some((at, secret)) = to_do.pop() {
        let Some(known) = before.get_mut(at) else { continue };
        let joined = match known {
            Some(known) if secret.is_subset(known) => continue,
            Some(known) => known.union(&secret).cloned().collect(),
            None => secret,
        };
        *known = Some(joined.clone());
        let instruction = &kernel.instructions[at];
        let mut after = joined;
        step(instruction, &mut after, &kernel.structures, structures_are_secret);
        let falls_through = instruction.predicate.is_some();
        match operation(instruction) {
            "bra" => {
                to_do.push((kernel.labels[&instruction.operands[0]], after.clone()));
                if falls_through {
                    to_do.push((at + 1, after));
                }
            }
            "ret" | "exit" if !falls_through => {}
            _ => to_do.push((at + 1, after)),
        }
    }
    before
}

/// `ld` of `ld.global.u32`.
fn operation(instruction: &Instruction) -> &str {
    instruction.operation.split('.').next().unwrap_or_default()
}

/// The effect of an instruction on the set of secrets.
fn step(
    instruction: &Instruction,
    secret: &mut Secret,
    structures: &[String],
    structures_are_secret: bool,
) {
    let operation = operation(instruction);
    assert!(!matches!(operation, "call" | "brx"), "not understood: {}", instruction.text);
    if matches!(operation, "st" | "red" | "bra" | "ret" | "exit" | "bar" | "cp") {
        return;
    }
    let Some((results, sources)) = instruction.operands.split_first() else { return };
    let predicate = instruction.predicate.as_deref();
    let mut from_secret = predicate
        .into_iter()
        .chain(sources.iter().flat_map(|source| names(source)))
        .any(|name| secret.contains(name));
    if matches!(operation, "ld" | "ldmatrix" | "atom") {
        from_secret |= if instruction.operation.contains(".param") {
            // By address, it is a structure.
            let address = names(&sources[0]).next().expect("an address");
            let structure = address.starts_with('%') || structures.iter().any(|s| s == address);
            structure && structures_are_secret
        } else {
            !instruction.operation.contains(".const")
        };
    }
    for result in names(results) {
        if from_secret {
            secret.insert(result.to_owned());
        } else if predicate.is_none() {
            secret.remove(result);
        }
    }
}

fn leaks_one(instruction: &Instruction, secret: &Secret) -> bool {
    let is_secret = |operand: &String| names(operand).any(|name| secret.contains(name));
    let address = instruction.operands.iter().any(|o| o.contains('[') && is_secret(o));
    // Memory that is touched or not.
    let decides = matches!(
        operation(instruction),
        "bra" | "ret" | "exit" | "ld" | "ldmatrix" | "st" | "red" | "atom" | "bar" | "cp"
    ) && instruction.predicate.as_ref().is_some_and(|p| secret.contains(p));
    // Instructions of variable latency, or that call functions with branches of their own.
    let slow = matches!(operation(instruction), "div" | "rem" | "sqrt")
        && instruction.operands.iter().skip(1).any(is_secret);
    address || decides || slow
}
