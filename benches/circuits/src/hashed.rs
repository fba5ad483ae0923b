//! The chain as an execution trace, proved by winterfell.

use winterfell::math::{FieldElement, ToElements, fields::f64::BaseElement as Field};
use winterfell::{
    Air, AirContext, Assertion, EvaluationFrame, ProofOptions, TraceInfo,
    TransitionConstraintDegree,
};

use crate::stark::{self, Columns, Constraints};
use crate::times::Times;

/// x^3 + 42.
fn step<E: FieldElement + From<Field>>(x: E) -> E {
    x * x * x + E::from(Field::new(42))
}

/// The last value; the first one is not public.
#[derive(Clone)]
struct Last(Field);

impl ToElements<Field> for Last {
    fn to_elements(&self) -> Vec<Field> {
        vec![self.0]
    }
}

struct Chain {
    context: AirContext<Field>,
    last: Field,
}

impl Constraints for Chain {}

impl Air for Chain {
    type BaseField = Field;
    type PublicInputs = Last;

    fn new(info: TraceInfo, Last(last): Last, options: ProofOptions) -> Self {
        let degrees = vec![TransitionConstraintDegree::new(3)];
        Self { context: AirContext::new(info, degrees, 1, options), last }
    }

    fn context(&self) -> &AirContext<Field> {
        &self.context
    }

    fn evaluate_transition<E: FieldElement<BaseField = Field>>(
        &self,
        frame: &EvaluationFrame<E>,
        _: &[E],
        result: &mut [E],
    ) {
        result[0] = frame.next()[0] - step(frame.current()[0]);
    }

    fn get_assertions(&self) -> Vec<Assertion<Field>> {
        vec![Assertion::single(0, self.trace_length() - 1, self.last)]
    }
}

/// One proof of a chain of `steps` steps, one less than a power of two, and its check.
pub(crate) fn run(steps: usize) -> Times {
    let values = || std::iter::successors(Some(Field::new(3)), |&x| Some(step(x)));
    let last = Last(values().nth(steps).expect("endless"));
    let trace = || Columns::new(vec![values().take(steps + 1).collect()], [0, 0]);
    stark::run::<Chain>(|| (trace(), last.clone()), || last.clone())
}
