//! A plugin of qemu's user emulation. A program marks the calls of a routine on different secrets;
//! what they execute and the addresses that they use must be the same. (Weiser, Zankl, Spreitzer,
//! Miller, Mangard, Sigl, "DATA: differential address trace analysis", USENIX Security 2018,
//! section 4.)
//!
//! The program's marks are system calls of a number that no kernel has ([`request`]);
//! `differential` of the package above makes them. The interface is the one of qemu 7 and 8,
//! `include/qemu/qemu-plugin.h`.

pub mod request;
pub mod traces;

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::{Mutex, MutexGuard};

use request::Request;
use traces::{Event, Traces};

type Id = u64;

/// An instruction that is being translated: qemu's.
#[repr(C)]
pub struct Instruction {
    _opaque: [u8; 0],
}

/// A block of them.
#[repr(C)]
pub struct Block {
    _opaque: [u8; 0],
}

const NO_REGISTERS: c_int = 0;
const READS_AND_WRITES: c_int = 3;

unsafe extern "C" {
    fn qemu_plugin_register_vcpu_tb_trans_cb(id: Id, f: extern "C" fn(Id, *mut Block));
    fn qemu_plugin_register_vcpu_syscall_cb(id: Id, f: SystemCall);
    fn qemu_plugin_register_atexit_cb(id: Id, f: extern "C" fn(Id, *mut c_void), data: *mut c_void);
    fn qemu_plugin_tb_n_insns(block: *const Block) -> usize;
    fn qemu_plugin_tb_get_insn(block: *const Block, index: usize) -> *mut Instruction;
    fn qemu_plugin_insn_vaddr(instruction: *const Instruction) -> u64;
    fn qemu_plugin_insn_symbol(instruction: *const Instruction) -> *const c_char;
    fn qemu_plugin_register_vcpu_insn_exec_cb(
        instruction: *mut Instruction,
        f: extern "C" fn(c_uint, *mut c_void),
        flags: c_int,
        data: *mut c_void,
    );
    fn qemu_plugin_register_vcpu_mem_cb(
        instruction: *mut Instruction,
        f: extern "C" fn(c_uint, u32, u64, *mut c_void),
        flags: c_int,
        which: c_int,
        data: *mut c_void,
    );
    fn _exit(code: c_int) -> !;
}

type SystemCall = extern "C" fn(Id, c_uint, i64, u64, u64, u64, u64, u64, u64, u64, u64);

/// The version of the interface.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name is qemu's")]
pub static qemu_plugin_version: c_int = 1;

#[derive(Default)]
struct State {
    traces: Traces,
    routines: usize,
    broken: usize,
    /// The functions of instructions, where the program names them.
    symbols: HashMap<u64, String>,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

fn state() -> MutexGuard<'static, Option<State>> {
    STATE.lock().expect("no callback panics")
}

impl State {
    fn request(&mut self, thread: c_uint, request: u64, argument: u64) {
        const NAME: u64 = Request::Name as u64;
        const BEGIN: u64 = Request::Begin as u64;
        const END: u64 = Request::End as u64;
        const COMPARE: u64 = Request::Compare as u64;
        match request {
            NAME => self.traces.name(argument as u8),
            BEGIN => self.traces.begin(thread),
            END => self.traces.end(),
            COMPARE => {
                let symbol = |address| self.symbols.get(&address).cloned();
                let (line, good) = std::mem::take(&mut self.traces).verdict(symbol);
                println!("{line}");
                self.routines += 1;
                self.broken += usize::from(!good);
            }
            _ => self.broken += 1,
        }
    }
}

extern "C" fn translated(_: Id, block: *mut Block) {
    // SAFETY: qemu hands over a block that is valid during this call.
    let count = unsafe { qemu_plugin_tb_n_insns(block) };
    for index in 0..count {
        // SAFETY: the block has so many instructions, valid as long as it is; a symbol is a string
        // of qemu's or null. Addresses take the place of data and are not followed.
        unsafe {
            let instruction = qemu_plugin_tb_get_insn(block, index);
            let address = qemu_plugin_insn_vaddr(instruction);
            let symbol = qemu_plugin_insn_symbol(instruction);
            if !symbol.is_null() {
                let symbol = CStr::from_ptr(symbol).to_string_lossy().into_owned();
                state().get_or_insert_default().symbols.insert(address, symbol);
            }
            let data = std::ptr::without_provenance_mut(address as usize);
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, executed, NO_REGISTERS, data);
            qemu_plugin_register_vcpu_mem_cb(
                instruction,
                accessed,
                NO_REGISTERS,
                READS_AND_WRITES,
                data,
            );
        }
    }
}

extern "C" fn executed(thread: c_uint, address: *mut c_void) {
    let event = Event::Executed(address.addr() as u64);
    state().get_or_insert_default().traces.push(thread, event);
}

extern "C" fn accessed(thread: c_uint, how: u32, address: u64, _: *mut c_void) {
    state().get_or_insert_default().traces.push(thread, Event::Accessed(address, how));
}

extern "C" fn called(
    _: Id,
    thread: c_uint,
    number: i64,
    request: u64,
    argument: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
) {
    if number == i64::from(request::NUMBER) {
        state().get_or_insert_default().request(thread, request, argument);
    }
}

extern "C" fn ended(_: Id, _: *mut c_void) {
    let state = state().take().unwrap_or_default();
    println!("{} routines, {} broken", state.routines, state.broken);
    if state.broken > 0 || state.routines == 0 {
        // SAFETY: the emulated program has ended, and so may the emulator.
        unsafe { _exit(1) }
    }
}

/// Called by qemu once.
#[unsafe(no_mangle)]
pub extern "C" fn qemu_plugin_install(
    id: Id,
    _: *const c_void,
    _: c_int,
    _: *const *const c_char,
) -> c_int {
    // SAFETY: functions of the types that the interface has, for the life of the plugin.
    unsafe {
        qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
        qemu_plugin_register_vcpu_syscall_cb(id, called);
        qemu_plugin_register_atexit_cb(id, ended, std::ptr::null_mut());
    }
    0
}
