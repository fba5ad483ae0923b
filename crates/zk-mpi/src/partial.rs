//! [`Partial`]: statement and proof while they grow, under other names; [`FileSink`]: a rank's
//! blocks at their places.

use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tautochrone_cli::{place, signals};
use tautochrone_zk::shard::{self, BlockSink, Shard};
use tautochrone_zk::{Digest, Error, FileSource, MatrixId, Params, Security};

use crate::Progress;

/// Bytes of a tag.
const TAG: usize = 32;

/// Unfinished files, on a file system that all ranks share.
///
/// They lie next to the final ones, which are those that symbolic links lead to, and go away with
/// the run, or T lies in the folder `STATEMENT.resume` and stays until a run is complete.
#[derive(Debug)]
pub struct Partial {
    t: PathBuf,
    /// One tag a finished block, where the run may be resumed.
    tags: Option<PathBuf>,
    proof: PathBuf,
    /// Rank 0 holds a lock while it runs, so that no second job writes here.
    lock: Option<File>,
}

impl Partial {
    /// Decides on the names.
    pub fn new(statement: &Path, proof: &Path, resume: bool) -> Self {
        let statement = &place(statement);
        let proof = beside(&place(proof), ".partial-", "");
        if resume {
            let folder = beside(statement, "", ".resume");
            return Self {
                t: folder.join("t"),
                tags: Some(folder.join("tags")),
                proof,
                lock: None,
            };
        }
        Self { t: beside(statement, ".partial-", ""), tags: None, proof, lock: None }
    }

    /// Where T grows.
    pub fn t(&self) -> &Path {
        &self.t
    }

    /// Has the files removed if this rank ends early; not before rank 0 knows that no other job
    /// writes them.
    pub fn guard(&self) {
        if self.tags.is_none() {
            signals::remove_when_ended(&self.t);
        }
        signals::remove_when_ended(&self.proof);
    }

    /// Rank 0: makes the files, at their final sizes.
    ///
    /// # Errors
    /// Errors of the file system; [`io::ErrorKind::ResourceBusy`] if another job is writing the
    /// file.
    pub fn create(&mut self, params: &Params, matrix_id: &MatrixId) -> io::Result<()> {
        if let (Some(_), Some(folder)) = (&self.tags, self.t.parent()) {
            std::fs::create_dir_all(folder)?;
        }
        let file = open(&self.t, PUBLIC)?;
        // Before the lock is ours, the file may have become another job's statement, or have gone
        // with that job.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !is_at(&file, &self.t)? {
            let busy = "another job is writing this statement";
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, busy));
        }
        self.guard();
        let file = self.lock.insert(file);
        open(&self.proof, PUBLIC)?;
        if let Some(tags) = &self.tags {
            open(tags, SECRET)?.set_len(params.blocks() * TAG as u64)?;
        }
        let header = shard::statement_header(params, matrix_id);
        file.set_len(params.statement_bytes() as u64)?;
        file.write_all_at(&header, 0)
    }

    /// The seed of A of an earlier run with these parameters.
    pub fn earlier_seed(&self, params: &Params) -> Option<[u8; 32]> {
        self.tags.as_ref()?;
        let source = FileSource::new(File::open(&self.t).ok()?).ok()?;
        let (earlier, seed) = shard::read_header(&source, Security::Waived).ok()?;
        (earlier == *params).then_some(*seed.seed())
    }

    /// Rank 0: writes the proof, then gives both files their names, under which they outlive a
    /// crash of the machine.
    ///
    /// # Errors
    /// Errors of the file system, with the path.
    pub fn finish(&self, statement: &Path, proof: (&Path, &[u8])) -> Result<(), String> {
        use crate::about;
        let (path, bytes) = proof;
        let written = open(&self.proof, PUBLIC).and_then(|file| {
            file.set_len(bytes.len() as u64)?;
            file.write_all_at(bytes, 0)
        });
        written.map_err(|e| about(path)(&e))?;
        for (partial, target) in [(&*self.t, statement), (&*self.proof, path)] {
            give_name(partial, target).map_err(|e| about(target)(&e))?;
        }
        match (&self.tags, self.t.parent()) {
            (Some(_), Some(folder)) => {
                std::fs::remove_dir_all(folder).map_err(|e| about(folder)(&e))
            }
            _ => Ok(()),
        }
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // Every rank could remove the files, but when rank 0 lets go of the lock they may be
        // another job's.
        if self.lock.is_some() {
            signals::remove();
        } else {
            signals::forget();
        }
    }
}

fn beside(path: &Path, before: &str, after: &str) -> PathBuf {
    let mut name = std::ffi::OsString::from(before);
    name.push(path.file_name().unwrap_or_default());
    name.push(after);
    path.with_file_name(name)
}

/// Modes of new files, less the umask. Tags tell whether a block of S is the one of an earlier run.
const PUBLIC: u32 = 0o666;
const SECRET: u32 = 0o600;

fn open(path: &Path, mode: u32) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(mode).open(path)
}

/// Puts a complete file on disk and moves it to its name, behind symbolic links; what it replaces
/// was readable by at least as many.
fn give_name(partial: &Path, target: &Path) -> io::Result<()> {
    let target = &place(target);
    let file = File::open(partial)?;
    let mode = file.metadata()?.mode();
    let old = match std::fs::metadata(target) {
        Ok(old) => old.mode(),
        Err(e) if e.kind() == io::ErrorKind::NotFound => mode,
        Err(e) => return Err(e),
    };
    file.set_permissions(Permissions::from_mode(mode & old))?;
    file.sync_all()?;
    std::fs::rename(partial, target)?;
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Whether `path` is the name of this file still.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let id = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    match std::fs::metadata(path) {
        Ok(there) => Ok(id(there) == id(file.metadata()?)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}

/// Writes a rank's blocks at their places.
///
/// A tag binds a block of T to the block of S that it came from and to the whole header, so an
/// earlier run's block is taken over only if it is what this run would write.
#[derive(Debug)]
pub struct FileSink<'a> {
    params: &'a Params,
    matrix_id: MatrixId,
    t: File,
    tags: Option<File>,
    progress: Progress,
    written: u64,
}

impl<'a> FileSink<'a> {
    /// Opens what rank 0 created.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn open(
        partial: &Partial,
        params: &'a Params,
        matrix_id: MatrixId,
        progress: Progress,
    ) -> io::Result<Self> {
        let tags = partial.tags.as_deref().map(|tags| open(tags, SECRET)).transpose()?;
        let t = open(&partial.t, PUBLIC)?;
        // A new file, because rank 0's went away, has no header.
        if u128::from(t.metadata()?.len()) != params.statement_bytes() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "another job has removed it"));
        }
        Ok(Self { params, matrix_id, t, tags, progress, written: 0 })
    }

    /// Blocks written; the others were taken over from an earlier run.
    pub fn written(&self) -> u64 {
        self.written
    }

    fn tag(&self, index: u64, s: &Digest, t: &Digest) -> [u8; TAG] {
        let mut hasher = blake3::Hasher::new_derive_key("tautochrone-zk-mpi/1 resume");
        hasher.update(&shard::statement_header(self.params, &self.matrix_id));
        hasher.update(&index.to_le_bytes()).update(s.as_bytes()).update(t.as_bytes());
        *hasher.finalize().as_bytes()
    }

    fn look(&self, tags: &File, index: u64, s: &Digest) -> Result<Option<Digest>, Error> {
        let io = Error::io("unfinished statement");
        let mut tag = [0; TAG];
        tags.read_exact_at(&mut tag, index * TAG as u64).map_err(io)?;
        if tag == [0; TAG] {
            return Ok(None);
        }
        let source = FileSource::new(self.t.try_clone().map_err(io)?).map_err(io)?;
        let first = index * u64::from(tautochrone_zk::internals::BLOCK);
        let columns = u64::from(self.params.block_columns(index));
        let block = Shard::of_columns(self.params, first, columns)?;
        let t = shard::hash_blocks(&source, self.params, block)?.remove(0);
        Ok((tag == self.tag(index, s, &t)).then_some(t))
    }
}

impl BlockSink for FileSink<'_> {
    fn finished(&mut self, index: u64, s_hash: &Digest) -> Result<Option<Digest>, Error> {
        let Some(tags) = &self.tags else { return Ok(None) };
        self.look(tags, index, s_hash)
    }

    fn put(&mut self, index: u64, s: &Digest, t: &Digest, bytes: &[u8]) -> Result<(), Error> {
        let io = Error::io("statement");
        self.t.write_all_at(bytes, shard::block_offset(self.params, index)).map_err(io)?;
        self.written += 1;
        self.progress.say(format_args!("T: rank 0 wrote {} blocks", self.written));
        match &self.tags {
            Some(tags) => tags.write_all_at(&self.tag(index, s, t), index * TAG as u64).map_err(io),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tautochrone_zk::{CustomParams, Preset};

    #[test]
    fn files_of_other_jobs_are_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let file = open(&path("t"), PUBLIC).unwrap();
        assert!(is_at(&file, &path("t")).unwrap());
        std::fs::rename(path("t"), path("s")).unwrap();
        assert!(!is_at(&file, &path("t")).unwrap(), "a statement by now");
        open(&path("t"), PUBLIC).unwrap();
        assert!(!is_at(&file, &path("t")).unwrap(), "and another job's file has its name");
    }

    #[test]
    fn links_stay_and_lead_to_what_is_written() {
        use std::os::unix::fs::symlink;
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path().canonicalize().unwrap();
        let path = |name: &str| directory.join(name);
        std::fs::create_dir(path("d")).unwrap();
        std::fs::write(path("d/old"), "").unwrap();
        symlink("d/new", path("s")).unwrap();
        symlink("d/old", path("p")).unwrap();
        symlink("loop", path("loop")).unwrap();
        let partial = Partial::new(&path("s"), &path("p"), false);
        let (t, proof) = (partial.t(), &*partial.proof);
        assert_eq!((t, proof), (&*path("d/.partial-new"), &*path("d/.partial-old")));
        for (partial, link, file) in [(t, "s", "d/new"), (proof, "p", "d/old")] {
            std::fs::write(partial, "written").unwrap();
            assert!(give_name(partial, &path("loop")).is_err());
            give_name(partial, &path(link)).unwrap();
            assert_eq!(std::fs::read(path(file)).unwrap(), b"written");
            assert!(path(link).is_symlink() && path("loop").is_symlink());
        }
    }

    #[test]
    fn without_what_rank_0_made_nothing_is_written() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let custom = CustomParams { r: 2, v: 16, l: 3, n: Some(4), ..Preset::T4_128.custom() };
        let params = custom.validate(Security::Waived).unwrap();
        let mut partial = Partial::new(&path("s"), &path("p"), false);
        let id = MatrixId::of_seed([1; 32]);
        partial.create(&params, &id).unwrap();
        let sink = || FileSink::open(&partial, &params, id, Progress::SILENT);
        assert!(sink().is_ok());
        std::fs::remove_file(partial.t()).unwrap();
        assert!(sink().is_err());
    }
}
