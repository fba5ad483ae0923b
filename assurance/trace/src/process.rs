//! A program under control: registers, memory, and what stopped it, by Linux' `ptrace`.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::registers::Registers;

/// Why a program stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It ended, with this code.
    Exited(i32),
    /// It received this signal.
    Signal(i32),
}

/// A program under control, on the CPU of its tracer: a step is two switches between them.
pub struct Process {
    pid: libc::pid_t,
    memory: File,
    /// Where [`COMPONENTS`] are in the saved state of the CPU (CPUID leaf 13); 0 if it has none.
    offsets: [usize; 4],
    state: Vec<u8>,
    state_len: usize,
}

/// Components of the saved state: the upper halves of ymm, masks, the upper halves of zmm 0 to 15,
/// zmm 16 to 31.
const COMPONENTS: [u32; 4] = [2, 5, 6, 7];
/// `int3`.
const BREAKPOINT: u8 = 0xcc;
const NT_X86_XSTATE: usize = 0x202;

fn check(result: libc::c_long) -> io::Result<libc::c_long> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

fn wait(pid: libc::pid_t) -> io::Result<Stop> {
    let mut status = 0;
    // SAFETY: the status is written to a local variable.
    check(unsafe { libc::waitpid(pid, &raw mut status, 0) }.into())?;
    if libc::WIFEXITED(status) {
        return Ok(Stop::Exited(libc::WEXITSTATUS(status)));
    }
    if libc::WIFSIGNALED(status) {
        return Ok(Stop::Exited(128 + libc::WTERMSIG(status)));
    }
    if status >> 16 != 0 {
        return Err(io::Error::other("a thread was started: secrets are followed through one"));
    }
    Ok(Stop::Signal(libc::WSTOPSIG(status)))
}

impl Process {
    /// Starts a program at fixed addresses, stopped before its first instruction.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        // SAFETY: only system calls between fork and exec, none of which touches memory.
        unsafe {
            command.pre_exec(|| {
                check(libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong).into())?;
                check(libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0))?;
                Ok(())
            });
        }
        // SAFETY: a set of CPUs is plain integers; the call reads it.
        unsafe {
            let mut one: libc::cpu_set_t = core::mem::zeroed();
            libc::CPU_SET(libc::sched_getcpu().max(0) as usize, &mut one);
            libc::sched_setaffinity(0, size_of_val(&one), &raw const one);
        }
        let pid = command.spawn()?.id() as libc::pid_t;
        let offsets = COMPONENTS
            .map(|component| core::arch::x86_64::__cpuid_count(13, component).ebx as usize);
        wait(pid)?;
        // Of the program, which has taken the place of this one's copy by now.
        let memory = File::options().read(true).write(true).open(format!("/proc/{pid}/mem"))?;
        let process = Self { pid, memory, offsets, state: vec![0; 16384], state_len: 0 };
        let options = libc::PTRACE_O_EXITKILL | libc::PTRACE_O_TRACECLONE;
        process.request(libc::PTRACE_SETOPTIONS, 0, options as usize)?;
        Ok(process)
    }

    /// Its process id.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    fn request(&self, request: libc::c_uint, address: usize, data: usize) -> io::Result<()> {
        // SAFETY: requests that read or write our memory are given addresses of sufficient size.
        check(unsafe { libc::ptrace(request, self.pid, address, data) }).map(drop)
    }

    /// Executes one instruction. Signals by which a shell stops and continues jobs come in front of
    /// it, and are not for the program.
    pub fn step(&mut self) -> io::Result<Stop> {
        loop {
            self.request(libc::PTRACE_SINGLESTEP, 0, 0)?;
            match wait(self.pid)? {
                Stop::Signal(libc::SIGSTOP | libc::SIGCONT) => {}
                stop => return Ok(stop),
            }
        }
    }

    /// Runs up to an address, as if by steps: there is a breakpoint there meanwhile.
    pub fn run_to(&mut self, address: u64) -> io::Result<Stop> {
        let mut code = [0];
        self.read(address, &mut code)?;
        self.write(address, &[BREAKPOINT])?;
        let stop = loop {
            match self.resume(0)? {
                Stop::Signal(libc::SIGSTOP | libc::SIGCONT) => {}
                stop => break stop,
            }
        };
        if matches!(stop, Stop::Exited(_)) {
            return Ok(stop);
        }
        self.write(address, &code)?;
        let mut registers = self.registers()?;
        if stop == Stop::Signal(libc::SIGTRAP) {
            if registers.0.rip != address + 1 {
                let elsewhere = format!("stopped at {:#x}, not {address:#x}", registers.0.rip);
                return Err(io::Error::other(elsewhere));
            }
            registers.0.rip = address;
            self.set_registers(&registers)?;
        }
        Ok(stop)
    }

    /// Ends the program.
    pub fn kill(&mut self) -> io::Result<()> {
        self.request(libc::PTRACE_KILL, 0, 0)?;
        wait(self.pid).map(drop)
    }

    /// Runs until something stops it, after delivering a signal (0 for none).
    pub fn resume(&mut self, signal: i32) -> io::Result<Stop> {
        self.request(libc::PTRACE_CONT, 0, signal as usize)?;
        wait(self.pid)
    }

    /// The general registers.
    pub fn registers(&self) -> io::Result<Registers> {
        let mut registers = Registers::zero();
        self.request(libc::PTRACE_GETREGS, 0, (&raw mut registers.0) as usize)?;
        Ok(registers)
    }

    /// Changes the general registers.
    pub fn set_registers(&self, registers: &Registers) -> io::Result<()> {
        self.request(libc::PTRACE_SETREGS, 0, (&raw const registers.0) as usize)
    }

    /// Reads memory; an error if not all of it is mapped.
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.memory.read_exact_at(bytes, address)
    }

    /// Writes memory, also where the program itself may not.
    pub fn write(&self, address: u64, bytes: &[u8]) -> io::Result<()> {
        self.memory.write_all_at(bytes, address)
    }

    /// As much as is mapped of 15 bytes of code.
    pub fn code(&self, address: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; 15];
        if self.read(address, &mut bytes).is_err() {
            bytes.truncate((4096 - address % 4096).min(15) as usize);
            self.read(address, &mut bytes)?;
        }
        Ok(bytes)
    }

    /// Fetches masks and vector registers, for [`Self::mask`] and [`Self::vector`].
    pub fn fetch_vectors(&mut self) -> io::Result<()> {
        let mut area =
            libc::iovec { iov_base: self.state.as_mut_ptr().cast(), iov_len: self.state.len() };
        self.request(libc::PTRACE_GETREGSET, NT_X86_XSTATE, (&raw mut area) as usize)?;
        self.state_len = area.iov_len;
        Ok(())
    }

    /// Writes masks and vector registers, as of [`Self::fetch_vectors`] and changed since.
    pub fn store_vectors(&mut self) -> io::Result<()> {
        // Every component is there, and none has its initial value instead.
        let present = COMPONENTS.iter().zip(self.offsets).filter(|(_, offset)| *offset != 0);
        let present = present.fold(3, |all: u64, (component, _)| all | 1 << component);
        self.state[512..520].copy_from_slice(&present.to_le_bytes());
        let area =
            libc::iovec { iov_base: self.state.as_mut_ptr().cast(), iov_len: self.state_len };
        self.request(libc::PTRACE_SETREGSET, NT_X86_XSTATE, (&raw const area) as usize)
    }

    /// A mask register, as of [`Self::fetch_vectors`].
    pub fn mask(&self, index: usize) -> u64 {
        if self.offsets[1] == 0 {
            return 0;
        }
        let at = self.offsets[1] + 8 * index;
        u64::from_le_bytes(self.state[at..at + 8].try_into().expect("eight bytes"))
    }

    /// Changes a mask register, for [`Self::store_vectors`].
    pub fn set_mask(&mut self, index: usize, mask: u64) {
        if self.offsets[1] == 0 {
            return;
        }
        let at = self.offsets[1] + 8 * index;
        self.state[at..at + 8].copy_from_slice(&mask.to_le_bytes());
    }

    /// Changes a vector register, for [`Self::store_vectors`].
    pub fn set_vector(&mut self, index: usize, bytes: &[u8; 64]) {
        for (at, range) in self.places(index).into_iter().flatten() {
            self.state[at..at + range.len()].copy_from_slice(&bytes[range]);
        }
    }

    /// A vector register, as of [`Self::fetch_vectors`].
    pub fn vector(&self, index: usize) -> [u8; 64] {
        let mut bytes = [0; 64];
        for (at, range) in self.places(index).into_iter().flatten() {
            bytes[range.clone()].copy_from_slice(&self.state[at..at + range.len()]);
        }
        bytes
    }

    /// Where in the state which bytes of a vector register are, as far as the CPU has them.
    fn places(&self, index: usize) -> [Option<(usize, Range<usize>)>; 3] {
        let [ymm, _, zmm, upper] = self.offsets.map(|offset| (offset != 0).then_some(offset));
        if index < 16 {
            [
                Some((160 + 16 * index, 0..16)),
                ymm.map(|offset| (offset + 16 * index, 16..32)),
                zmm.map(|offset| (offset + 32 * index, 32..64)),
            ]
        } else {
            [upper.map(|offset| (offset + 64 * (index - 16), 0..64)), None, None]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(process: &Process, signal: i32) {
        // SAFETY: a signal to a child of ours.
        assert_eq!(unsafe { libc::kill(process.pid, signal) }, 0);
    }

    /// As when a shell stops the tracer and its child, which others do to have the CPU alone.
    #[test]
    fn signals_that_stop_and_continue_jobs_are_not_for_the_program() {
        let mut process = Process::start(&mut Command::new("/bin/true")).expect("a program");
        for signal in [libc::SIGSTOP, libc::SIGCONT, libc::SIGSTOP, libc::SIGCONT] {
            send(&process, signal);
            for _ in 0..50 {
                assert_eq!(process.step().expect("a step"), Stop::Signal(libc::SIGTRAP));
            }
        }
        send(&process, libc::SIGUSR1);
        assert_eq!(process.step().expect("a step"), Stop::Signal(libc::SIGUSR1));
        send(&process, libc::SIGKILL);
    }

    /// From the first instruction to the second, at once and by a step.
    #[test]
    fn running_to_an_address_is_as_stepping_there() {
        let start = || Process::start(&mut Command::new("/bin/true")).expect("a program");
        let (mut one, mut other) = (start(), start());
        let stop = one.step().expect("a step");
        let second = one.registers().expect("stopped");
        send(&other, libc::SIGSTOP);
        assert_eq!(other.run_to(second.0.rip).expect("an address"), stop);
        let after = other.registers().expect("stopped");
        assert_eq!((after.0.rip, after.0.rdi), (second.0.rip, second.0.rdi));
        let code = |process: &Process| process.code(second.0.rip).expect("code");
        assert_eq!(code(&one), code(&other), "the breakpoint is gone");
        // An address that is never reached: the program ends before.
        let first = start().registers().expect("stopped").0.rip;
        assert_eq!(other.run_to(first).expect("an end"), Stop::Exited(0));
        one.kill().expect("it is there");
    }
}
