//! A model of a pool of threads that steal work, as rayon's do.

use std::collections::VecDeque;
use std::sync::Arc;

use shuttle::sync::{Condvar, Mutex};
use shuttle::thread;

type Task = Box<dyn FnOnce(&Pool) + Send>;

/// Tasks that nobody has taken up, and those who wait for tasks to end.
#[derive(Clone)]
pub(crate) struct Pool(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// A task was added, or one has ended.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    tasks: VecDeque<(usize, Task)>,
    added: usize,
    ended: Vec<bool>,
    closed: bool,
}

impl Pool {
    /// Runs `f` on one thread of a pool of that many.
    pub(crate) fn run(threads: usize, f: impl FnOnce(&Self)) {
        let pool = Self(Arc::new(Shared { state: Mutex::default(), changed: Condvar::new() }));
        let others: Vec<_> = (1..threads)
            .map(|_| {
                let pool = pool.clone();
                thread::spawn(move || pool.work_until(|state| state.closed))
            })
            .collect();
        f(&pool);
        pool.change(|state| state.closed = true);
        for other in others {
            other.join().expect("no task panics");
        }
    }

    /// Both, perhaps at once.
    pub(crate) fn join(&self, a: impl FnOnce(&Self), b: impl FnOnce(&Self) + Send + 'static) {
        let b = self.add(Box::new(b));
        a(self);
        self.wait(b);
    }

    /// A task for whichever thread takes it up, and its number.
    pub(crate) fn add(&self, task: Task) -> usize {
        self.change(|state| {
            let number = state.added;
            state.added += 1;
            state.ended.push(false);
            state.tasks.push_back((number, task));
            number
        })
    }

    /// Until that task has ended. Others are run meanwhile, on this stack: that is what makes a
    /// thread wait for itself, if they need what it has begun.
    pub(crate) fn wait(&self, number: usize) {
        self.work_until(|state| state.ended[number]);
    }

    fn work_until(&self, enough: impl Fn(&State) -> bool) {
        let mut state = self.0.state.lock().expect("no task panics");
        while !enough(&state) {
            if let Some((number, task)) = state.tasks.pop_front() {
                drop(state);
                task(self);
                self.change(|state| state.ended[number] = true);
                state = self.0.state.lock().expect("no task panics");
            } else {
                state = self.0.changed.wait(state).expect("no task panics");
            }
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let result = change(&mut self.0.state.lock().expect("no task panics"));
        self.0.changed.notify_all();
        result
    }
}
