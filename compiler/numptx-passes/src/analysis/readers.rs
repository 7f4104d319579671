//! Who reads each array, views looked through.
//!
//! In: a function. Out: for each root, the places that read it or a view of it, each pair of place and view once.

use std::collections::BTreeMap;

use numptx_ir::array::{Function, OpKind, Region, ValueId};

use crate::kernels::products::Products;
use crate::rewrite::function::Place;

/// One reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reader {
    /// Where it stands.
    pub place: Place,
    /// The root, or the view of it, that is read.
    pub through: ValueId,
    /// Whether it is an input of a map, reduction, scan or compaction, not a table, or the source of an assignment: it can compute the array
    /// itself. A product of matrices cannot, but in loops.
    pub takes_maps: bool,
    /// Whether it is the source of an assignment.
    pub is_assignment: bool,
}

/// Readers by root.
#[derive(Default)]
pub struct Readers {
    roots: BTreeMap<ValueId, ValueId>,
    readers: BTreeMap<ValueId, Vec<Reader>>,
    n_regions: usize,
    products: Products,
}

impl Readers {
    /// Collects all readers of a function.
    pub fn of(function: &Function) -> Self {
        let mut readers = Readers { products: Products::of(function), ..Readers::default() };
        readers.collect(&function.body);
        readers
    }

    /// The readers of a root.
    pub fn of_root(&self, root: ValueId) -> &[Reader] {
        self.readers.get(&root).map_or(&[], |r| r)
    }

    fn collect(&mut self, region: &Region) {
        let number = self.n_regions;
        self.n_regions += 1;
        for (index, op) in region.ops.iter().enumerate() {
            if op.kind.is_view() {
                let root = self.root(op.operands[0]);
                self.roots.insert(op.results[0], root);
                continue;
            }
            for (position, operand) in op.operands.iter().enumerate() {
                let takes_maps = match &op.kind {
                    OpKind::Map(map) => position + map.body.n_tables() < op.operands.len(),
                    OpKind::Reduce(_) if self.products.contains(Place { region: number, index }) => false,
                    OpKind::Reduce(reduce) => position + reduce.body.n_tables() < op.operands.len(),
                    OpKind::Scan(scan) => position + scan.body.n_tables() < op.operands.len(),
                    OpKind::Compact(compact) => {
                        let inputs = compact.rank + compact.n_fixed()..op.operands.len() - compact.body.n_tables();
                        inputs.contains(&position)
                    }
                    OpKind::Assign => position == 1,
                    _ => false,
                };
                let is_assignment = takes_maps && matches!(op.kind, OpKind::Assign);
                let place = Place { region: number, index };
                let reader = Reader { place, through: *operand, takes_maps, is_assignment };
                let readers = self.readers.entry(self.root(*operand)).or_default();
                if !readers.contains(&reader) {
                    readers.push(reader);
                }
            }
            op.regions.iter().for_each(|nested| self.collect(nested));
        }
    }

    fn root(&self, value: ValueId) -> ValueId {
        self.roots.get(&value).copied().unwrap_or(value)
    }
}
