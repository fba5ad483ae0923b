//! The modules of a crate and the paths that its files name, from the tokens of its sources.
//!
//! Comments and strings vanish in the lexer; bodies of macros are read like other code. Whatever
//! is compiled for tests alone (`#[cfg(test)]`) is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Reads a file of the crate, if there is one.
pub type Read<'a> = dyn Fn(&Path) -> Option<String> + 'a;

/// A path such as `crate::a::B`, and the line that names it.
#[derive(Debug, Clone)]
pub struct Named {
    /// Its segments.
    pub segments: Vec<String>,
    /// Where it stands.
    pub line: usize,
}

/// One name brought in by `use`.
#[derive(Debug, Clone)]
pub struct Import {
    /// What is imported.
    pub path: Named,
    /// Whether it is exported again (`pub use`, `pub(crate) use`, ..).
    pub exported: bool,
}

/// A module, in a file of its own or within braces.
#[derive(Debug, Default)]
pub struct Module {
    /// The file that holds it.
    pub file: PathBuf,
    /// The module around it; none for the root.
    pub parent: Option<usize>,
    /// Modules within it.
    pub children: BTreeMap<String, usize>,
    /// Names imported by it.
    pub imports: BTreeMap<String, Import>,
    /// Names imported within a body, which other modules do not see.
    pub local: BTreeMap<String, Import>,
    /// Modules of which all names are imported.
    pub globs: Vec<Import>,
    /// Items that it defines.
    pub items: BTreeSet<String>,
    /// Paths and single names that it mentions.
    pub named: Vec<Named>,
}

/// All modules of the crate whose root is this file; the root comes first.
pub fn modules(root: &Path, read: &Read) -> Result<Vec<Module>, String> {
    let mut all = vec![Module { file: root.to_owned(), ..Module::default() }];
    let folder = root.parent().unwrap_or(Path::new("")).to_owned();
    load(&mut all, 0, &folder, read)?;
    Ok(all)
}

/// Reads the file of a module; `folder` is where its children's files are.
fn load(all: &mut Vec<Module>, at: usize, folder: &Path, read: &Read) -> Result<(), String> {
    let file = all[at].file.clone();
    let text = read(&file).ok_or_else(|| format!("{}: cannot be read", file.display()))?;
    let tokens: TokenStream =
        text.parse().map_err(|error| format!("{}: cannot be parsed: {error}", file.display()))?;
    Reader { all, read }.module(at, tokens, folder)
}

struct Reader<'a, 'b> {
    all: &'a mut Vec<Module>,
    read: &'a Read<'b>,
}

fn ident(token: Option<&TokenTree>) -> Option<String> {
    match token {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    }
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

fn group(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<Vec<TokenTree>> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => {
            Some(group.stream().into_iter().collect())
        }
        _ => None,
    }
}

/// Whether `::` stands at this place.
fn colons(tokens: &[TokenTree], at: usize) -> bool {
    is_punct(tokens.get(at), ':') && is_punct(tokens.get(at + 1), ':')
}

/// Whether an attribute's content is `cfg(test)` or `cfg(all(.., test, ..))`.
fn is_test(attribute: &[TokenTree]) -> bool {
    fn requires_test(predicate: &[TokenTree]) -> bool {
        predicate.split(|token| is_punct(Some(token), ',')).any(|term| match term {
            [TokenTree::Ident(name)] => name == "test",
            [TokenTree::Ident(name), inner] if name == "all" => {
                group(Some(inner), Delimiter::Parenthesis).is_some_and(|all| requires_test(&all))
            }
            _ => false,
        })
    }
    ident(attribute.first()).as_deref() == Some("cfg")
        && group(attribute.get(1), Delimiter::Parenthesis).is_some_and(|all| requires_test(&all))
}

/// The string of `path = "..."`.
fn path_attribute(attribute: &[TokenTree]) -> Option<String> {
    match attribute {
        [TokenTree::Ident(name), equals, TokenTree::Literal(value)]
            if name == "path" && is_punct(Some(equals), '=') =>
        {
            Some(value.to_string().trim_matches('"').to_owned())
        }
        _ => None,
    }
}

/// Where the item ends that begins at this place: after its semicolon or its braces.
fn item_end(tokens: &[TokenTree], start: usize) -> usize {
    let mut until_semicolon = false;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token {
            TokenTree::Ident(word) => {
                let word = word.to_string();
                let is_function = ["fn", "unsafe", "async", "extern"]
                    .contains(&ident(tokens.get(at + 1)).unwrap_or_default().as_str());
                until_semicolon |= ["use", "static", "type", "let"].contains(&word.as_str())
                    || (word == "const" && !is_function);
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => return at + 1,
            TokenTree::Punct(punct) if punct.as_char() == ',' && !until_semicolon => return at + 1,
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::Brace && !until_semicolon =>
            {
                return at + 1;
            }
            _ => {}
        }
    }
    tokens.len()
}

impl Reader<'_, '_> {
    fn module(&mut self, at: usize, tokens: TokenStream, folder: &Path) -> Result<(), String> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        self.scan(at, &tokens, Some(folder))
    }

    /// Reads tokens of a module; those of a body if `folder` is missing.
    fn scan(
        &mut self,
        module: usize,
        tokens: &[TokenTree],
        folder: Option<&Path>,
    ) -> Result<(), String> {
        let (mut at, mut exported, mut file) = (0, false, None);
        while at < tokens.len() {
            if is_punct(tokens.get(at), '#') {
                let inner = usize::from(is_punct(tokens.get(at + 1), '!'));
                if let Some(attribute) = group(tokens.get(at + 1 + inner), Delimiter::Bracket) {
                    at += 2 + inner;
                    file = path_attribute(&attribute).or(file);
                    if inner == 0 && is_test(&attribute) {
                        at = item_end(tokens, at);
                        file = None;
                    }
                    continue;
                }
            }
            match &tokens[at] {
                TokenTree::Group(group) => {
                    let content: Vec<TokenTree> = group.stream().into_iter().collect();
                    self.scan(module, &content, None)?;
                    exported = false;
                    at += 1;
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    exported = false;
                    at += 1;
                }
                TokenTree::Ident(word) => {
                    let name = ident(tokens.get(at + 1));
                    match (word.to_string().as_str(), name) {
                        ("pub", _) => {
                            exported = true;
                            at += 1;
                            // `pub(in path)` names no dependency.
                            at += usize::from(
                                group(tokens.get(at), Delimiter::Parenthesis).is_some(),
                            );
                            continue;
                        }
                        ("use", _) if !is_punct(tokens.get(at + 1), '<') => {
                            let end = (at..tokens.len())
                                .find(|&end| is_punct(tokens.get(end), ';'))
                                .unwrap_or(tokens.len());
                            let body = folder.is_none();
                            self.import(module, &tokens[at + 1..end], &[], exported, body);
                            at = end;
                        }
                        ("mod", Some(name)) if folder.is_some() => {
                            let inside = tokens.get(at + 2);
                            self.child(module, &name, inside, file.take(), folder)?;
                            at += 3;
                        }
                        ("macro_rules", _) if is_punct(tokens.get(at + 1), '!') => {
                            self.all[module].items.extend(ident(tokens.get(at + 2)));
                            at += 3;
                        }
                        ("fn", Some(name)) => {
                            if folder.is_some() {
                                self.all[module].items.insert(name);
                            }
                            at += 2;
                        }
                        (
                            "struct" | "enum" | "union" | "trait" | "type" | "const" | "static",
                            Some(name),
                        ) if folder.is_some() => {
                            self.all[module].items.insert(name);
                            at += 1;
                        }
                        _ => at = self.path(module, tokens, at),
                    }
                    exported = false;
                    file = None;
                }
            }
        }
        Ok(())
    }

    /// Records the path that begins at this place and returns where it ends.
    fn path(&mut self, module: usize, tokens: &[TokenTree], start: usize) -> usize {
        let line = tokens[start].span().start().line;
        let mut segments: Vec<String> = ident(tokens.get(start)).into_iter().collect();
        let mut end = start + 1;
        while colons(tokens, end)
            && let Some(next) = ident(tokens.get(end + 2))
        {
            segments.push(next);
            end += 3;
        }
        // Fields, methods, lifetimes and names below a type are no paths of their own.
        let before = start.checked_sub(1).and_then(|before| tokens.get(before));
        let range = start >= 2 && is_punct(tokens.get(start - 2), '.');
        let part = (is_punct(before, '.') && !range)
            || is_punct(before, '\'')
            || (start >= 2 && colons(tokens, start - 2));
        if !part {
            self.all[module].named.push(Named { segments, line });
        }
        end
    }

    fn child(
        &mut self,
        parent: usize,
        name: &str,
        inside: Option<&TokenTree>,
        path: Option<String>,
        folder: Option<&Path>,
    ) -> Result<(), String> {
        let folder = folder.unwrap_or(Path::new(""));
        let at = self.all.len();
        let of_parent = self.all[parent].file.clone();
        self.all.push(Module { parent: Some(parent), file: of_parent, ..Module::default() });
        // Of several declarations under different conditions, paths are resolved in the first.
        self.all[parent].children.entry(name.to_owned()).or_insert(at);
        if let Some(TokenTree::Group(body)) = inside {
            return self.module(at, body.stream(), &folder.join(name));
        }
        let parent_folder = self.all[parent].file.parent().unwrap_or(Path::new("")).to_owned();
        let flat = folder.join(format!("{name}.rs"));
        let (file, folder) = match path {
            Some(path) => {
                let file = parent_folder.join(path);
                let folder = file.parent().unwrap_or(Path::new("")).to_owned();
                (file, folder)
            }
            None if (self.read)(&flat).is_some() => (flat, folder.join(name)),
            None => (folder.join(name).join("mod.rs"), folder.join(name)),
        };
        self.all[at].file = file;
        load(self.all, at, &folder, self.read)
    }

    /// Records the names of one tree of `use`, below a prefix.
    fn import(
        &mut self,
        module: usize,
        tokens: &[TokenTree],
        prefix: &[String],
        exported: bool,
        body: bool,
    ) {
        let mut segments = prefix.to_vec();
        let mut at = 0;
        let line = tokens.first().map_or(0, |token| token.span().start().line);
        while at < tokens.len() {
            if let Some(list) = group(tokens.get(at), Delimiter::Brace) {
                for tree in list.split(|token| is_punct(Some(token), ',')) {
                    self.import(module, tree, &segments, exported, body);
                }
                return;
            }
            if is_punct(tokens.get(at), '*') {
                let path = Named { segments, line };
                self.all[module].globs.push(Import { path, exported });
                return;
            }
            match ident(tokens.get(at)) {
                Some(word) if word == "as" => break,
                Some(word) => segments.push(word),
                None => {}
            }
            at += 1;
        }
        if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
            segments.pop();
        }
        let alias = ident(tokens.get(at + 1)).or_else(|| segments.last().cloned());
        if let Some(alias) = alias
            && !tokens.is_empty()
        {
            let import = Import { path: Named { segments, line }, exported };
            let target = &mut self.all[module];
            let table = if body { &mut target.local } else { &mut target.imports };
            table.entry(alias).or_insert(import);
        }
    }
}
