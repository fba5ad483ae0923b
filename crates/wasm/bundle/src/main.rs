//! `bundle WASM FILES OUT`: the package for npm in OUT/package, and two pages, OUT/verify.html and
//! OUT/explorer.html, each one file that has its styles, its scripts and the WebAssembly. FILES,
//! which tests/files writes, has their sample and the names of presets.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(Into::into).collect();
    let [wasm, files, out] = &*arguments else {
        return Err("usage: bundle WASM FILES OUT".into());
    };
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
    // Only the functions of an export statement: a worker made from a string has no modules.
    let sources = fs::read_to_string(sources.join("sources.js"))?.replace("export ", "");
    let sample = |name: &str| fs::read(files.join(name)).map(|file| STANDARD.encode(file));
    let (statement, proof) = (sample("sample.lzs")?, sample("sample.lzp")?);
    let names = fs::read_to_string(files.join("presets"))?.replace('\n', "</option><option>");
    let (style, common) = (page("style.css")?, page("common.js")?);
    for name in ["verify", "explorer"] {
        let worker = [&*glue, &sources, &page(&format!("{name}-worker.js"))?].concat();
        let script = [&*common, &page(&format!("{name}.js"))?].concat();
        // No tag may end early.
        for text in [&worker, &script, &style] {
            if text.contains("</") {
                return Err("a script or a style has the beginning of an end tag".into());
            }
        }
        let html = page(&format!("{name}.html"))?
            .replace("@SCRIPT-HASH@", &hash(&script))
            .replace("@STYLE-HASH@", &hash(&style))
            .replace("@STYLE@", &style)
            .replace("@WORKER@", &worker)
            .replace("@WASM@", &binary)
            .replace("@PRESETS@", &format!("<option>{names}</option>"))
            .replace("@CONTEXT@", "a sample")
            .replace("@STATEMENT@", &statement)
            .replace("@PROOF@", &proof)
            .replace("@SCRIPT@", &script);
        fs::write(out.join(name).with_extension("html"), html)?;
    }
    Ok(())
}

/// A source of a content security policy.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}
