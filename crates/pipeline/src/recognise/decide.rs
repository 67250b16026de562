//! From the names and the answers of the sources to what is written down.

use tracker_domain::metadata::Pin;
use tracker_domain::recognised::{Recognised, RecognitionState, Role, TitleKind, Verdict};
use tracker_domain::{Attention, Remark};
use tracker_recognize::concern;
use tracker_recognize::matching::{Scored, apply_overrides, judge, pinned};
use tracker_store::{NewCandidate, StoreError};

use super::ask::Round;
use super::carried::AcceptedNames;
use super::pin::{Named, Pinned, resolve};
use super::search::{Search, search};
use super::wait::Causes;
use crate::{AutoAccept, Policy};

/// So many candidates are kept for a person to choose from.
const MOST_CANDIDATES: usize = 20;

/// What a recognition comes to.
pub(super) struct Decision {
    /// What the names say, with the verdict and the doubts of the whole.
    pub found: Recognised,
    pub state: RecognitionState,
    pub candidates: Vec<NewCandidate>,
    /// The place of the work that is taken.
    pub candidate: Option<usize>,
    pub causes: Causes,
    /// What a person has to look at, and why.
    pub mark: Option<(Attention, String)>,
    /// Whether it is what a person accepted before the file list was known.
    pub carries_over: bool,
}

/// What people said, as far as it decides.
#[derive(Clone, Copy)]
pub(super) struct Heard<'a> {
    pub overrides: &'a [(String, String)],
    /// What a person accepted before the file list was known.
    pub accepted: Option<&'a AcceptedNames>,
}

/// Decides on one download. `provisional`: its files are not known, so nothing
/// is accepted and nobody is troubled yet.
pub(super) async fn decide(
    policy: &Policy,
    round: &mut Round<'_>,
    raw: Recognised,
    heard: Heard<'_>,
    provisional: bool,
) -> Result<Decision, StoreError> {
    let Heard { overrides, accepted } = heard;
    let mut said = raw.clone();
    // What could not act is among the doubts.
    let _problems = apply_overrides(&mut said, overrides);
    let case = Case { raw, said, may_accept: !provisional };
    let decision = match (pinned(overrides), accepted) {
        (Some(pin), _) => case.by_pin(policy, round, &pin, overrides).await?,
        (None, Some(names)) => case.by_accepted(policy, round, names).await?,
        (None, None) => case.by_sources(policy, round).await?,
    };
    Ok(if provisional { Decision { mark: None, ..decision } } else { decision })
}

/// What is known before anybody is asked.
struct Case {
    raw: Recognised,
    /// With the overrides applied.
    said: Recognised,
    may_accept: bool,
}

/// What the sources have added.
struct Outcome {
    verdict: Verdict,
    doubts: Vec<Remark>,
    scored: Vec<Scored>,
    /// The place of the work that is taken.
    chosen: Option<usize>,
    accept: bool,
    mark: Attention,
    causes: Causes,
}

impl Case {
    /// No source knows programs, archives and what is no film or series.
    fn is_for_the_sources(&self) -> bool {
        let said = &self.said;
        let held = matches!(concern(said), Some(Attention::UnsafeContent | Attention::Archive));
        // Before the files are known there may be a video among them.
        let video = said.files.is_empty() || has_main(said);
        video && !held && said.fields.kind != Some(TitleKind::Other)
    }

    async fn by_sources(
        self,
        policy: &Policy,
        round: &mut Round<'_>,
    ) -> Result<Decision, StoreError> {
        if !self.is_for_the_sources() {
            return Ok(self.by_names(policy));
        }
        let found = search(policy, round, &self.said).await?;
        Ok(if found.asked { self.by_search(policy, found) } else { self.by_names(policy) })
    }

    /// A person's word holds where the file list says the same; else it is asked
    /// about, with what the sources have now.
    async fn by_accepted(
        self,
        policy: &Policy,
        round: &mut Round<'_>,
        names: &AcceptedNames,
    ) -> Result<Decision, StoreError> {
        let Some(doubt) = names.against(&self.said) else {
            let outcome = Outcome {
                verdict: self.said.verdict,
                doubts: self.said.doubts.clone(),
                scored: Vec::new(),
                chosen: None,
                accept: true,
                mark: mark_of(&self.said),
                causes: Causes::default(),
            };
            return Ok(Decision { carries_over: true, ..self.finish(outcome) });
        };
        let mark = mark_of(&self.said);
        let mut asked = self.by_sources(policy, round).await?;
        asked.found.doubts.insert(0, doubt);
        if asked.found.verdict == Verdict::Sure {
            asked.found.verdict = Verdict::Doubt;
        }
        let mark = Some((mark, in_words(&asked.found.doubts)));
        let causes = Causes::default();
        Ok(Decision { state: RecognitionState::Proposed, candidate: None, causes, mark, ..asked })
    }

    /// Without a source the names alone count.
    fn by_names(self, policy: &Policy) -> Decision {
        let sure = self.said.verdict == Verdict::Sure;
        let outcome = Outcome {
            verdict: self.said.verdict,
            doubts: self.said.doubts.clone(),
            scored: Vec::new(),
            chosen: None,
            accept: sure && policy.auto_accept == AutoAccept::Confident,
            mark: mark_of(&self.said),
            causes: Causes::default(),
        };
        self.finish(outcome)
    }

    fn by_search(self, policy: &Policy, found: Search) -> Decision {
        let Search { scored, causes, .. } = found;
        let mut judgement = judge(&self.said, &scored);
        if scored.is_empty() && !causes.is_empty() {
            // Its last doubt is that the sources know no such work, which nobody
            // can say as long as one has not answered.
            judgement.doubts.pop();
        }
        let best = judgement.best.and_then(|place| scored.get(place));
        // A source that has answered in part may not have told of a rival.
        let whole = best.is_some_and(|best| !causes.has(best.work.id.provider));
        let sure = judgement.verdict == Verdict::Sure && whole;
        let accept = sure && policy.auto_accept == AutoAccept::Confident;
        let outcome = Outcome {
            verdict: judgement.verdict,
            doubts: judgement.doubts,
            scored,
            chosen: judgement.best.filter(|_| accept),
            accept,
            mark: mark_of(&self.said),
            // What the others say is enough where it is sure.
            causes: if sure { Causes::default() } else { causes },
        };
        self.finish(outcome)
    }

    async fn by_pin(
        self,
        policy: &Policy,
        round: &mut Round<'_>,
        pin: &Pin,
        overrides: &[(String, String)],
    ) -> Result<Decision, StoreError> {
        let found = resolve(policy, round, pin, &self.raw, &self.said, overrides).await?;
        let outcome = match found {
            Pinned::Found(found) => {
                let Named { work, judged } = *found;
                Outcome {
                    verdict: judged.verdict,
                    // It is a person's word, so the setting does not matter.
                    accept: judged.verdict == Verdict::Sure,
                    mark: mark_of(&judged),
                    doubts: judged.doubts,
                    scored: vec![work],
                    chosen: Some(0),
                    causes: Causes::default(),
                }
            }
            Pinned::Several { works, doubt } => {
                let mut doubts = vec![doubt];
                doubts.extend(self.said.doubts.iter().cloned());
                Outcome {
                    verdict: Verdict::Doubt,
                    doubts,
                    scored: works,
                    chosen: None,
                    accept: false,
                    mark: mark_of(&self.said),
                    causes: Causes::default(),
                }
            }
            Pinned::Unknown(causes) => Outcome {
                verdict: self.said.verdict,
                doubts: self.said.doubts.clone(),
                scored: Vec::new(),
                chosen: None,
                accept: false,
                mark: mark_of(&self.said),
                causes,
            },
        };
        Ok(self.finish(outcome))
    }

    fn finish(self, outcome: Outcome) -> Decision {
        let Outcome { verdict, doubts, scored, chosen, accept, mark, causes } = outcome;
        let accepted = accept && self.may_accept && causes.is_empty();
        let (state, mark) = if accepted {
            (RecognitionState::Accepted, None)
        } else if causes.is_empty() {
            (RecognitionState::Proposed, Some((mark, in_words(&doubts))))
        } else {
            let waits = (Attention::MetadataUnavailable, causes.detail());
            // A limit that is over in a moment is nothing for a person to look at.
            (RecognitionState::Waiting, Some(waits).filter(|_| !causes.pass_by_themselves()))
        };
        let confidence = match scored.first().filter(|best| best.is_candidate()) {
            Some(best) => best.score,
            None => self.said.confidence,
        };
        let candidates = scored.into_iter().take(MOST_CANDIDATES).map(|scored| NewCandidate {
            work: scored.work,
            score: scored.score,
            parts: scored.parts,
            excluded: scored.excluded,
        });
        let candidates: Vec<NewCandidate> = candidates.collect();
        let candidate = chosen.filter(|place| *place < candidates.len());
        let found = Recognised { verdict, confidence, doubts, ..self.raw };
        Decision { found, state, candidates, candidate, causes, mark, carries_over: false }
    }
}

fn has_main(recognised: &Recognised) -> bool {
    recognised.files.iter().any(|file| file.role == Role::Main)
}

/// What a person has to look at where it is not accepted.
fn mark_of(recognised: &Recognised) -> Attention {
    match concern(recognised) {
        // There is media, only nobody knows which.
        Some(Attention::NotMedia) if has_main(recognised) => Attention::NeedsReview,
        Some(mark) => mark,
        None => Attention::NeedsReview,
    }
}

fn in_words(doubts: &[Remark]) -> String {
    match doubts {
        [] => Remark::AcceptFirst.to_string(),
        doubts => Remark::join(doubts),
    }
}
