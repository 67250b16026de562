//! One world through many batches: each is checked against what was there before
//! it, and what was taken back is what the next one finds.

use std::path::Path;

use tempfile::TempDir;

use crate::look::Look;
use crate::mortal::Mortal;
use crate::phase::Phase;
use crate::product::start_again;
use crate::world::{Shape, World};

pub struct Scene {
    pub world: World,
    /// What was there before the batch.
    before: Look,
    /// Removed with the test.
    _place: TempDir,
}

impl Scene {
    pub fn new(shape: Shape) -> Self {
        // On the disk that is built on: folders for temporary files may be memory.
        let place = tempfile::tempdir_in(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
        let world = World::at(place.path(), shape);
        world.make_payload();
        world.make_library();
        let before = Look::at(&world);
        Scene { world, before, _place: place }
    }

    /// How far the batch has come.
    pub fn phase(&self) -> Phase {
        Phase::of(&self.world, &self.before, &Look::at(&self.world))
    }

    /// Whether the batch may show, and can be finished.
    pub fn is_staged(&self) -> bool {
        self.world.journal().staged().is_some()
    }

    /// A person gives the batch up before the next start.
    pub fn give_up(&self) {
        self.world.journal().write_given_up(&Mortal::default());
    }

    /// Starts again for good, and checks that the batch stands as planned when
    /// its identities were written down and nobody gave it up, and that nothing
    /// changed otherwise. What stands is cleared away.
    pub fn settle(&mut self, context: &str) {
        start_again(&self.world, &Mortal::default());
        let (journal, now) = (self.world.journal(), Look::at(&self.world));
        let staged = journal.staged();
        if !journal.is_applied() {
            let in_vain = staged.is_some() && !journal.is_given_up();
            assert!(!in_vain, "{context}: it can be finished and was not");
            let differs = now.differs_from(&self.before);
            assert!(differs.is_empty(), "{context}: not as before:\n{differs}");
            journal.clear();
            return;
        }
        let planned = self.before.planned(&self.world, &staged.unwrap(), &now);
        let differs = now.differs_from(&planned);
        assert!(differs.is_empty(), "{context}: not as planned:\n{differs}");
        self.world.make_library();
        let before = Look::at(&self.world);
        assert!(before.payload == self.before.payload, "{context}: the payload changed");
        self.before = before;
    }
}
