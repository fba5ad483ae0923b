//! The tests, each with a control: code with the fault that must be noticed.

use std::sync::Arc;

use shuttle::sync::Mutex;
use shuttle::thread;

use crate::computed::Computed;
use crate::first_error::FirstError;
use crate::pool::Pool;
use crate::sync::{AtomicUsize, OnceLock, Ordering};

/// Random orders, where all are too many.
const ORDERS: usize = 1_000;

/// Three tasks on two threads get a value that is computed on first use; all must see one.
fn tasks_need_one_value<C: Send + Sync + 'static>(
    cell: C,
    get: fn(&C, &Pool, &AtomicUsize) -> usize,
) {
    let cell = Arc::new((cell, AtomicUsize::new(0)));
    let seen = Arc::new(Mutex::new(Vec::new()));
    Pool::run(2, |pool| {
        let tasks: Vec<_> = (0..3)
            .map(|_| {
                let (cell, seen) = (Arc::clone(&cell), Arc::clone(&seen));
                pool.add(Box::new(move |pool| {
                    let value = get(&cell.0, pool, &cell.1);
                    seen.lock().expect("nothing panics").push(value);
                }))
            })
            .collect();
        for task in tasks {
            pool.wait(task);
        }
    });
    let mut seen = seen.lock().expect("nothing panics");
    seen.sort_unstable();
    assert!(seen.len() == 3 && seen.iter().all(|value| *value == seen[0]), "{seen:?}");
}

/// Another value each time, in two parts that different threads may take up.
fn compute(pool: &Pool, computations: &AtomicUsize) -> usize {
    let value = computations.fetch_add(1, Ordering::SeqCst);
    pool.join(|_| thread::yield_now(), |_| thread::yield_now());
    value
}

#[test]
fn nobody_waits_for_a_computed_value() {
    let orders = || {
        tasks_need_one_value(Computed::new(), |cell, pool, computations| {
            *cell.get_or_compute(|| compute(pool, computations))
        });
    };
    shuttle::check_random(orders, ORDERS);
}

/// How it was at first: a thread that computes the value waits for a part, takes up a task, and
/// waits for itself.
#[test]
#[should_panic(expected = "deadlock")]
fn control_a_value_computed_inside_the_lock() {
    let orders = || {
        tasks_need_one_value(OnceLock::new(), |cell, pool, computations| {
            *cell.get_or_init(|| compute(pool, computations))
        });
    };
    shuttle::check_random(orders, ORDERS);
}

/// Values that differ are noticed: each task has its own.
#[test]
#[should_panic(expected = "[0, 1, 2]")]
fn control_each_task_computes_its_own_value() {
    let orders = || tasks_need_one_value((), |(), pool, computations| compute(pool, computations));
    shuttle::check_random(orders, ORDERS);
}

/// The index of a call, and what it returned.
type Call = (usize, Option<Result<usize, usize>>);

/// Calls 1 and 2 of three fail, each on a thread of its own, and `report` looks at all, in the
/// order in which they end.
fn calls_of_which_two_fail(report: fn(&[Call])) {
    let first = Arc::new(FirstError::new());
    let ended = Arc::new(Mutex::new(Vec::new()));
    let threads = [2, 0, 1].map(|index| {
        let (first, ended) = (Arc::clone(&first), Arc::clone(&ended));
        thread::spawn(move || {
            let result = first.call(index, || if index == 0 { Ok(index) } else { Err(index) });
            ended.lock().expect("nothing panics").push((index, result));
        })
    });
    for thread in threads {
        thread.join().expect("nothing panics");
    }
    report(&ended.lock().expect("nothing panics"));
}

#[test]
fn the_first_error_by_index_is_found_in_every_order() {
    let orders = || {
        calls_of_which_two_fail(|ended| {
            let mut ended = ended.to_vec();
            ended.sort_by_key(|(index, _)| *index);
            let results: Vec<_> = ended.into_iter().filter_map(|(_, result)| result).collect();
            assert_eq!(results[..2], [Ok(0), Err(1)], "what is left out comes after the error");
        });
    };
    shuttle::check_dfs(orders, None);
}

/// The first to come is another one in some order.
#[test]
#[should_panic(expected = "Err(1)")]
fn control_the_first_error_to_come() {
    let orders = || {
        calls_of_which_two_fail(|ended| {
            let error = ended.iter().filter_map(|(_, result)| *result).find(Result::is_err);
            assert_eq!(error, Some(Err(1)));
        });
    };
    shuttle::check_dfs(orders, None);
}
