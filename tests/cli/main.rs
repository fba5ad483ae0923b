//! The example programs as their users run them: what takes a shell alone is in [`scripts`], with
//! the tools of GNU/Linux.

mod circuit;
mod committer;
mod device;
mod docs;
mod folder;
mod ice;
mod keys;
mod outputs;
#[cfg(target_os = "linux")]
mod scripts;
