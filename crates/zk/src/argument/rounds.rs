//! [`Rounds`]: what is sent in the rounds of a sum-check, and the challenges.

use alloc::vec::Vec;

use tautochrone_simd::declassify_slice;

use crate::field::{ElementOf, Field, P61};
use crate::opening::transcript::Transcript;
use crate::sum_check;

/// The rounds of a sum-check as far as they were played.
#[derive(Debug)]
pub(super) struct Rounds<F: Field = P61> {
    pub(super) transcript: Transcript,
    /// Labels of messages, and of challenges.
    labels: [&'static str; 2],
    /// The challenges.
    pub(super) point: Vec<ElementOf<F>>,
    /// The messages, round after round.
    pub(super) messages: Vec<ElementOf<F>>,
}

impl<F: Field> Rounds<F> {
    pub(super) const fn new(transcript: Transcript, labels: [&'static str; 2]) -> Self {
        Self { transcript, labels, point: Vec::new(), messages: Vec::new() }
    }

    /// Sends coefficients of a round polynomial under the pads of their messages, of which there is one
    /// for each message of all rounds; the next challenge.
    ///
    /// # Constant time
    /// In both.
    pub(super) fn send(
        &mut self,
        coefficients: &[ElementOf<F>],
        pads: &[ElementOf<F>],
    ) -> ElementOf<F> {
        let pads = coefficients.iter().zip(&pads[self.messages.len()..]);
        let messages: Vec<ElementOf<F>> =
            pads.map(|(&coefficient, &pad)| coefficient + pad).collect();
        declassify_slice(&messages);
        self.round(&messages)
    }

    /// What was sent, so many messages in a round.
    pub(super) fn replay(&mut self, messages: &[ElementOf<F>], of_round: usize) {
        messages.chunks_exact(of_round).for_each(|messages| _ = self.round(messages));
    }

    /// After the messages of a round, its challenge.
    fn round(&mut self, messages: &[ElementOf<F>]) -> ElementOf<F> {
        let [message, challenge] = self.labels;
        self.transcript.absorb(message, messages);
        let r = self.transcript.challenge(challenge);
        self.point.push(r);
        self.messages.extend(messages);
        r
    }

    /// w: what the pad of each message counts in the end, if there are so many in a round; and what the
    /// first claim counts.
    pub(super) fn weights(&self, of_round: usize) -> (Vec<ElementOf<F>>, ElementOf<F>) {
        sum_check::weights(&self.point, of_round)
    }
}
