//! Branches and loops in a loop.
//!
//! In: `if`, `for` and `while`. Out: blocks of the program, and loops of the dependence analysis. A loop that is an axis is the work item's own index.

use numptx_ir::DType;
use numptx_ir::array::{Op, Region, Type, ValueId};
use numptx_ir::scalar::{ScalarOp, Val};

use crate::analysis::traverse::terminator_operands;
use crate::loops::dependence::{Affine, Variable};
use crate::loops::nest::program::{Origin, Refusal};
use crate::loops::nest::scope::Binding;
use crate::loops::nest::translator::Translator;

impl Translator<'_> {
    pub(crate) fn if_(&mut self, op: &Op) -> Result<(), Refusal> {
        let condition = self.scalar(op.operands[0])?;
        let known = condition.condition.clone().unwrap_or_default();
        let (then, otherwise) = ((&known.holds, &known.distinct), (&known.fails, &known.fails_distinct));
        let [then_holds, otherwise_holds] = [known.holds.clone(), known.fails.clone()];
        let mut blocks = Vec::with_capacity(2);
        for (region, (guards, distinct)) in op.regions.iter().zip([then, otherwise]) {
            let (n, n_distinct) = (self.guards.len(), self.distinct.len());
            self.guards.extend_from_slice(guards);
            self.distinct.extend_from_slice(distinct);
            self.code.open_block(&[]);
            self.translate_block(&region.ops)?;
            let yields = self.yields(region)?;
            blocks.push(self.code.close_block(&yields));
            self.guards.truncate(n);
            self.distinct.truncate(n_distinct);
        }
        let mut blocks = blocks.into_iter();
        let (Some(then), Some(otherwise)) = (blocks.next(), blocks.next()) else {
            return Err(Refusal("an `if` without branches"));
        };
        let results = self.code.if_(condition.val, then, otherwise);
        self.bind_results(&op.results, &results);
        for (n, result) in op.results.iter().enumerate() {
            let given = |region: &Region| self.scalar(*terminator_operands(region).get(n)?).ok()?.affine;
            if let (Some(a), Some(b)) = (given(&op.regions[0]), given(&op.regions[1]))
                && self.function.ty(*result) == Type::Scalar(DType::I64)
            {
                let symbol = self.nest.add_symbol(self.within);
                let variable = Variable::Symbol(symbol);
                if !self.wrapped(symbol, &known, [&a, &b]) {
                    self.chosen(variable, vec![(a, then_holds.clone()), (b, otherwise_holds.clone())]);
                }
                self.bind_scalar(*result, results[n], Some(Affine::from(variable)), None);
            }
        }
        Ok(())
    }

    /// Dtypes of values that a loop carries.
    fn carried(&self, values: &[ValueId]) -> Result<Vec<DType>, Refusal> {
        let element = |value: &ValueId| match self.function.ty(*value) {
            Type::Array(array) if array.rank > 0 => Err(Refusal("arrays are carried from iteration to iteration")),
            Type::Object => Err(Refusal("lists, dictionaries and strings are the host's")),
            ty => Ok(ty.dtype()),
        };
        values.iter().map(element).collect()
    }

    pub(crate) fn for_(&mut self, op: &Op) -> Result<(), Refusal> {
        let region = &op.regions[0];
        let (index, parameters) = region.parameters.split_first().ok_or(Refusal("a loop without an index"))?;
        if let Some(wavefront) = self.wavefront.filter(|wavefront| wavefront.wavefronts.around.first() == Some(index)) {
            return self.wavefront(op, wavefront);
        }
        if self.summed(op)? {
            return Ok(());
        }
        let (id, affine) = self.open_loop(*index, &op.operands[..3])?;
        let outer = self.within.replace(id);
        if let Some((crossing, work_item)) = self.crossing
            && crossing.inner.contains(index)
        {
            let bounds = [self.val(op.operands[0])?, self.val(op.operands[1])?];
            self.guarded(op, work_item, bounds, affine)?;
            self.within = outer;
            return Ok(());
        }
        match self.axes.iter().position(|axis| axis.index == *index) {
            Some(axis) => self.axis(axis, op, affine)?,
            None => {
                let bounds = [self.val(op.operands[0])?, self.val(op.operands[1])?, self.val(op.operands[2])?];
                let initial = self.vals(&op.operands[3..])?;
                let mut dtypes = vec![DType::I64];
                dtypes.extend(self.carried(parameters)?);
                let counters = self.counters_of(&op.operands[3..], region, &dtypes[1..]);
                let chosen = self.chosen_of(op, affine.is_some().then_some(id));
                let vals = self.code.open_block(&dtypes);
                self.bind_scalar(*index, vals[0], affine, None);
                self.bind_carried(parameters, &vals[1..], &counters);
                self.bind_chosen(parameters, &vals[1..], &chosen);
                self.translate_block(&region.ops)?;
                let yields = self.yields(region)?;
                let block = self.code.close_block(&yields);
                let results = self.code.for_(bounds, &initial, block);
                self.within = outer;
                self.bind_counted(&op.results, &results, &counters);
                self.bind_chosen(&op.results, &results, &chosen);
            }
        }
        self.within = outer;
        Ok(())
    }

    /// The body of a loop for the work item's own index.
    fn axis(&mut self, axis: usize, op: &Op, id: Option<Affine>) -> Result<(), Refusal> {
        let region = &op.regions[0];
        let bounds = [self.val(op.operands[0])?, self.val(op.operands[1])?, self.val(op.operands[2])?];
        let mut work_item = self.code.index(self.axes[axis].number);
        if let Some(from) = self.axes[axis].from {
            let from = self.val(from)?;
            work_item = self.code.op(ScalarOp::Add, &[from, work_item]);
        }
        if let Origin::Shared(origin) = self.axes[axis].origin {
            let origin = self.val(origin)?;
            let index = self.code.op(ScalarOp::Add, &[origin, work_item]);
            return self.guarded(op, index, [bounds[0], bounds[1]], id);
        }
        let moved = self.code.op(ScalarOp::Mul, &[work_item, bounds[2]]);
        let index = self.code.op(ScalarOp::Add, &[bounds[0], moved]);
        self.bind_scalar(region.parameters[0], index, id, None);
        if matches!(self.axes[axis].origin, Origin::Own) {
            return self.translate_block(&region.ops);
        }
        let falls = self.index(op.operands[2])?.affine.and_then(|step| step.as_constant()).is_some_and(|n| n < 0);
        let before = if falls { ScalarOp::Gt } else { ScalarOp::Lt };
        let inside = self.code.op(before, &[index, bounds[1]]);
        self.where_inside(inside, op)
    }

    /// The body of a loop for an index, if that is in its range.
    fn guarded(&mut self, op: &Op, index: Val, bounds: [Val; 2], id: Option<Affine>) -> Result<(), Refusal> {
        let region = &op.regions[0];
        let above = self.code.op(ScalarOp::Ge, &[index, bounds[0]]);
        let below = self.code.op(ScalarOp::Lt, &[index, bounds[1]]);
        let inside = self.code.op(ScalarOp::BitAnd, &[above, below]);
        self.bind_scalar(region.parameters[0], index, id, None);
        self.where_inside(inside, op)
    }

    /// The body of a loop, if this holds.
    fn where_inside(&mut self, inside: Val, op: &Op) -> Result<(), Refusal> {
        self.code.open_block(&[]);
        self.translate_block(&op.regions[0].ops)?;
        let then = self.code.close_block(&[]);
        self.code.open_block(&[]);
        let otherwise = self.code.close_block(&[]);
        self.code.if_(inside, then, otherwise);
        Ok(())
    }

    pub(crate) fn while_(&mut self, op: &Op) -> Result<(), Refusal> {
        let [before, after] = op.regions.as_slice() else { return Err(Refusal("a `while` without regions")) };
        let initial = self.vals(&op.operands)?;
        let dtypes = self.carried(&before.parameters)?;
        let counters = self.counters_of(&op.operands, after, &dtypes);
        let symbols = counters.iter().zip(&dtypes);
        let symbols: Vec<Option<Affine>> =
            symbols.map(|(counter, dtype)| counter.clone().or_else(|| self.carried_symbol(*dtype))).collect();

        let vals = self.code.open_block(&dtypes);
        self.bind_carried(&before.parameters, &vals, &symbols);
        self.translate_block(&before.ops)?;
        let remark = terminator_operands(before).first().map(|v| self.scalar(*v)).transpose()?;
        let yields = self.yields(before)?;
        let condition = self.code.close_block(&yields);

        let n_guards = self.guards.len();
        self.guards.extend(remark.and_then(|s| s.condition).map_or(Vec::new(), |c| c.holds));
        let vals = self.code.open_block(&dtypes);
        self.bind_carried(&after.parameters, &vals, &symbols);
        self.translate_block(&after.ops)?;
        let yields = self.yields(after)?;
        let body = self.code.close_block(&yields);
        self.guards.truncate(n_guards);
        let results = self.code.while_(&initial, condition, body);
        self.bind_counted(&op.results, &results, &counters);
        Ok(())
    }

    /// Symbols for what counts of that which a loop carries.
    fn counters_of(&mut self, initial: &[ValueId], body: &Region, dtypes: &[DType]) -> Vec<Option<Affine>> {
        let counter = |(n, dtype): (usize, &DType)| {
            let is_int = *dtype == DType::I64 && self.function.array(initial[n]).is_none();
            if is_int { self.counter(initial[n], body, n) } else { None }
        };
        dtypes.iter().enumerate().map(counter).collect()
    }

    /// Binds a loop's results; what counted is as large as it was.
    fn bind_counted(&mut self, values: &[ValueId], vals: &[Val], counters: &[Option<Affine>]) {
        self.bind_results(values, vals);
        for ((value, val), _) in values.iter().zip(vals).zip(counters).filter(|(_, counter)| counter.is_some()) {
            let counter = self.new_counter();
            self.bind_scalar(*value, *val, Some(counter), None);
        }
    }

    /// A symbol for an integer that is another one in every iteration.
    fn carried_symbol(&mut self, dtype: DType) -> Option<Affine> {
        (dtype == DType::I64).then(|| {
            let variable = Variable::Symbol(self.nest.add_symbol(self.within));
            self.unbounded.insert(variable);
            Affine::from(variable)
        })
    }

    fn bind_carried(&mut self, values: &[ValueId], vals: &[Val], symbols: &[Option<Affine>]) {
        for ((value, val), symbol) in values.iter().zip(vals).zip(symbols) {
            match self.function.ty(*value) {
                Type::Scalar(_) => self.bind_scalar(*value, *val, symbol.clone(), None),
                Type::Array(_) | Type::Object => self.bind(*value, Binding::Cell(*val)),
            }
        }
    }
}
