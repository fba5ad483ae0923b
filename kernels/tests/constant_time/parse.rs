//! PTX as lists of instructions: the part of its grammar that LLVM prints.

use std::collections::HashMap;

/// A kernel's instructions, in order.
pub(crate) struct Kernel {
    pub(crate) name: String,
    pub(crate) instructions: Vec<Instruction>,
    /// Index of the instruction behind a label.
    pub(crate) labels: HashMap<String, usize>,
    /// Parameters that are structures, by name: they are passed by value.
    pub(crate) structures: Vec<String>,
}

/// `@predicate operation operands;`
pub(crate) struct Instruction {
    pub(crate) text: String,
    pub(crate) predicate: Option<String>,
    pub(crate) operation: String,
    pub(crate) operands: Vec<String>,
}

/// All kernels of a module.
pub(crate) fn kernels(ptx: &str) -> Vec<Kernel> {
    let lines = ptx.lines().map(|line| line.split("//").next().unwrap_or_default());
    // Positions in the source: the one directive in a body that ends with its line.
    let lines = lines.filter(|line| !line.trim_start().starts_with(".loc"));
    let code: String = lines.flat_map(|line| [line, "\n"]).collect();
    code.split(".entry ").skip(1).map(kernel).collect()
}

fn kernel(code: &str) -> Kernel {
    let (name, rest) = code.split_once('(').expect("parameters");
    let (parameters, rest) = rest.split_once(')').expect("the end of parameters");
    let structures = parameters
        .split(',')
        .filter_map(|parameter| parameter.split_once('['))
        .map(|(declared, _)| declared.split_whitespace().last().expect("a name").to_owned())
        .collect();
    let (_, body) = rest.split_once('{').expect("a body");
    let mut kernel = Kernel {
        name: name.trim().to_owned(),
        instructions: Vec::new(),
        labels: HashMap::new(),
        structures,
    };
    let mut rest = body.trim_start();
    let mut depth = 1;
    while depth > 0 {
        // Scopes, of inline assembly, have registers of their own, whose names we take for one.
        if let Some(inside) = rest.strip_prefix('{') {
            (depth, rest) = (depth + 1, inside.trim_start());
        } else if let Some(outside) = rest.strip_prefix('}') {
            (depth, rest) = (depth - 1, outside.trim_start());
        } else if let Some((label, behind)) = label(rest) {
            kernel.labels.insert(label.to_owned(), kernel.instructions.len());
            rest = behind.trim_start();
        } else {
            let (statement, behind) = rest.split_once(';').expect("a statement");
            if !statement.starts_with('.') {
                kernel.instructions.push(instruction(statement));
            }
            rest = behind.trim_start();
        }
    }
    kernel
}

/// `label:`, and the text behind it.
fn label(code: &str) -> Option<(&str, &str)> {
    let (label, behind) = code.split_once(':')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '$' || c == '_';
    (label.starts_with('$') && label.chars().all(is_name)).then_some((label, behind))
}

fn instruction(statement: &str) -> Instruction {
    let text = statement.split_whitespace().collect::<Vec<_>>().join(" ");
    let (predicate, rest) = match text.strip_prefix('@') {
        Some(rest) => {
            let (predicate, rest) = rest.split_once(' ').expect("an operation");
            (Some(predicate.trim_start_matches('!').to_owned()), rest)
        }
        None => (None, text.as_str()),
    };
    let (operation, operands) = rest.split_once(' ').unwrap_or((rest, ""));
    Instruction {
        predicate,
        operation: operation.to_owned(),
        operands: split(operands),
        text: text.clone(),
    }
}

/// Operands; `{..}` and `[..]` are one each.
fn split(operands: &str) -> Vec<String> {
    let (mut all, mut current, mut depth) = (Vec::new(), String::new(), 0);
    for c in operands.chars() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            _ => {}
        }
        if c == ',' && depth == 0 {
            all.push(std::mem::take(&mut current));
        } else {
            current.push(c);
        }
    }
    all.push(current);
    all.into_iter()
        .map(|operand| operand.trim().to_owned())
        .filter(|operand| !operand.is_empty())
        .collect()
}

/// Names in an operand: of registers, and of parameters and variables, which stand for addresses.
pub(crate) fn names(operand: &str) -> impl Iterator<Item = &str> {
    operand
        .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '%' | '_' | '$' | '.')))
        .filter(|name| {
            name.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '%' | '_'))
        })
}
