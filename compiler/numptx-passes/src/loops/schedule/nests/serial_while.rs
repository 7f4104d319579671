//! Loops that end themselves, as the work of one thread.
//!
//! In: a `while` over elements without counted loops in it, which may have parallel iterations. Out: what `formed` makes of a loop of one iteration
//! around it: one launch, where the host would start a kernel for each element.

use numptx_ir::array::{Op, OpKind, Region, ValueId};
use numptx_ir::scalar::Constant;

use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::function::FormNests;
use crate::loops::nest::program::{ENDS_ITSELF, Refusal};
use crate::loops::schedule::choose::Formed;
use crate::rewrite::emit::yielding;

impl FormNests<'_> {
    /// What to run in a loop's place.
    pub fn once(&mut self, op: &Op) -> Formed {
        let mut has_counted = false;
        let mut visit = |op: &Op| has_counted |= matches!(op.kind, OpKind::For);
        op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
        if has_counted {
            return Err(Refusal(ENDS_ITSELF).into());
        }
        let mut host = HostProgram::new(self.function, op.span);
        let bounds = [host.number(0), host.number(1), host.number(1)];
        let index = host.number(0);
        let mut ops = std::mem::take(&mut host.ops);
        // The last one only names the index.
        ops.pop();
        for (bound, n) in bounds.iter().zip([0, 1, 1]) {
            self.known.constants.insert(*bound, Constant::Int(n));
        }
        let mut inner = op.clone();
        let names = self.rename(std::slice::from_mut(&mut inner));
        let yields: Vec<ValueId> = op.results.iter().map(|v| names.resolve(*v)).collect();
        let carried: Vec<ValueId> = op.operands.iter().map(|v| self.function.add_value(self.function.ty(*v))).collect();
        for (parameter, initial) in carried.iter().zip(&op.operands) {
            self.known.points_to.add_alias(*parameter, *initial);
        }
        inner.operands.clone_from(&carried);
        let parameters = [&[index][..], &carried].concat();
        let region = Region { parameters, ops: vec![inner, yielding(yields, op.span)] };
        let operands = [&bounds[..], &op.operands].concat();
        let around = Op { kind: OpKind::For, operands, regions: vec![region], ..op.clone() };
        Ok(self.formed(&around)?.after(ops))
    }
}
