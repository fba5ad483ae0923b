//! `bundle WASM OUT`: the package for npm in OUT/package, and OUT/verify.html, one file that has
//! the page, its styles, its scripts and the verifier.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(Into::into).collect();
    let [wasm, out] = &*arguments else { return Err("usage: bundle WASM OUT".into()) };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no parent")?;

    let package = out.join("package");
    let sources = root.join("package");
    fs::create_dir_all(&package)?;
    let mut bindgen = Bindgen::new();
    // `init()` finds the binary beside the module.
    bindgen.input_path(wasm).web(true)?.typescript(true).omit_default_module_path(false);
    bindgen.generate(&package)?;
    for name in ["package.json", "README.md", "sources.js", "sources.d.ts"] {
        fs::copy(sources.join(name), package.join(name))?;
    }

    let parts = out.join("parts");
    Bindgen::new().input_path(wasm).no_modules(true)?.typescript(false).generate(&parts)?;
    let glue = fs::read_to_string(parts.join("tautochrone_wasm.js"))?;
    let binary = STANDARD.encode(fs::read(parts.join("tautochrone_wasm_bg.wasm"))?);
    fs::remove_dir_all(&parts)?;

    let page = |name: &str| fs::read_to_string(root.join("page").join(name));
    // Of an export statement, the functions: a worker made from a string has no modules.
    let sources = fs::read_to_string(sources.join("sources.js"))?.replace("export ", "");
    let worker = [glue, sources, page("worker.js")?].concat();
    let script = page("page.js")?;
    let style = page("style.css")?;
    // No tag may end early.
    for text in [&worker, &script, &style] {
        if text.contains("</") {
            return Err("a script or a style has the beginning of an end tag".into());
        }
    }
    let html = page("index.html")?
        .replace("@SCRIPT-HASH@", &hash(&script))
        .replace("@STYLE-HASH@", &hash(&style))
        .replace("@STYLE@", &style)
        .replace("@WORKER@", &worker)
        .replace("@WASM@", &binary)
        .replace("@SCRIPT@", &script);
    fs::write(out.join("verify.html"), html)?;
    Ok(())
}

/// A source of a content security policy.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}
