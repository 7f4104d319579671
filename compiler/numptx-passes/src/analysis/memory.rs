//! Memory versions: whether what a computation reads is the same at another place of its region.
//!
//! In: a function before its rebuild. Out: answers about the values of the rebuild. Two places of one region see the same version of a
//! location if no op between them writes it; a write of a slice is a write of its location.

use std::collections::HashMap;

use numptx_ir::array::{Function, Region, ValueId};

use crate::analysis::ages::Ages;
use crate::analysis::points_to::{PointsTo, written_arrays};
use crate::rewrite::emit::Emitter;
use crate::rewrite::function::Place;

/// Where values are defined and what is written where.
pub struct Writes {
    points_to: PointsTo,
    ages: Ages,
    parameters: Vec<ValueId>,
    /// Where the op that defines a value stands.
    places: HashMap<ValueId, Place>,
    /// By region: position of a writing op, and the locations that it writes.
    writes: Vec<Vec<(usize, Vec<ValueId>)>>,
}

impl Writes {
    /// Collects definitions and writes.
    pub fn of(function: &Function) -> Self {
        let mut writes = Writes {
            points_to: PointsTo::of(function),
            ages: Ages::of(function),
            parameters: function.parameters.clone(),
            places: HashMap::new(),
            writes: Vec::new(),
        };
        writes.collect(&function.body);
        writes
    }

    fn collect(&mut self, region: &Region) {
        let number = self.writes.len();
        self.writes.push(Vec::new());
        for (index, op) in region.ops.iter().enumerate() {
            for result in &op.results {
                self.places.insert(*result, Place { region: number, index });
            }
            let arrays = written_arrays(op);
            let locations: Vec<ValueId> = arrays.iter().flat_map(|v| self.points_to.locations(*v)).copied().collect();
            if !locations.is_empty() {
                self.writes[number].push((index, locations));
            }
            op.regions.iter().for_each(|nested| self.collect(nested));
        }
    }

    /// Where the op that defined a value stood.
    pub fn place(&self, value: ValueId) -> Option<Place> {
        self.places.get(&value).copied()
    }

    /// The locations of an array of the rebuild: those of its root. A root that a pass made is a location of its own.
    pub fn locations(&self, emitter: &Emitter, array: ValueId) -> Vec<ValueId> {
        let root = emitter.root(array);
        match self.points_to.locations(root) {
            [] => vec![root],
            locations => locations.to_vec(),
        }
    }

    /// Whether an array of the rebuild may be, or be a view of, a parameter.
    pub fn may_be_parameters(&self, emitter: &Emitter, array: ValueId) -> bool {
        self.locations(emitter, array).iter().any(|location| self.parameters.contains(location))
    }

    /// Whether two arrays of the rebuild may share memory.
    pub fn may_share(&self, emitter: &Emitter, a: ValueId, b: ValueId) -> bool {
        let b = self.locations(emitter, b);
        self.locations(emitter, a).iter().any(|l| b.contains(l))
    }

    /// Whether an array of the rebuild was there before another one was allocated, so that it is no view of it.
    pub fn is_older(&self, emitter: &Emitter, array: ValueId, than: ValueId) -> bool {
        self.ages.is_older(emitter.root(array), emitter.root(than))
    }

    /// Whether the computation that defined `result` from `operands` gives the same at `place`: in the same region, and neither its
    /// result nor anything that it reads written in between.
    pub fn is_unchanged(&self, emitter: &Emitter, result: ValueId, operands: &[ValueId], place: Place) -> bool {
        let Some(from) = self.place(result) else { return false };
        if from.region != place.region || from.index > place.index {
            return false;
        }
        let mut read = self.locations(emitter, result);
        for operand in operands.iter().filter(|v| !emitter.is_scalar(**v)) {
            read.extend(self.locations(emitter, *operand));
        }
        let between = |index: usize| from.index < index && index < place.index;
        let mut written = self.writes[place.region].iter().filter(|(index, _)| between(*index));
        !written.any(|(_, locations)| locations.iter().any(|l| read.contains(l)))
    }
}
