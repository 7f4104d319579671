//! `A10` to `A14`: constants, bodies, reductions and orders. Operands are known to be of the right kinds.

use super::Checker;
use super::operands::{RANK_LIMIT, array_of};
use crate::DType;
use crate::array::message::{Format, Piece, SHOWN, pieces};
use crate::array::{
    ArrayType, Compact, Meeting, Nest, Op, OpKind, Order, OrderTerm, Phase, Reading, Reduce, Scan, Scatter, Type,
};
use crate::scalar::{Body, BodyError, Constant, Reducer, Val, is_canonical};

impl Checker<'_> {
    pub(super) fn check_attributes(&mut self, op: &Op) {
        let types = self.types(&op.operands);
        match &op.kind {
            OpKind::Constant(constant) => self.check_constant(op, *constant),
            OpKind::Check { message, .. } => {
                self.check_message(op, message, &types[1..]);
            }
            OpKind::Item if types.iter().any(|ty| array_of(*ty).is_some_and(|a| a.rank != 0)) => {
                self.fail("A07", "only an array of rank 0 has an item", Some(op));
            }
            OpKind::Sort(_) => {
                let arrays: Vec<_> = types.iter().copied().filter_map(array_of).collect();
                let is_order = |order: &ArrayType| order.dtype == DType::I64 && order.rank == arrays[0].rank;
                if arrays[0].rank == 0 || !arrays[1..].iter().all(is_order) {
                    self.fail("A29", "rows of one array are sorted, and their indices are `i64`s", Some(op));
                }
            }
            OpKind::Reshape(Reading::F | Reading::K) | OpKind::Ravel(Reading::F) | OpKind::Contiguous(Reading::K) => {
                self.fail("A14", "the op does not take this order", Some(op));
            }
            OpKind::Alloc { order, .. } | OpKind::Reuse { order, .. } => {
                let n_taken = usize::from(matches!(op.kind, OpKind::Reuse { .. }));
                let arrays: Vec<Type> = types.into_iter().skip(n_taken).filter(|t| array_of(*t).is_some()).collect();
                self.check_order(op, order, &arrays);
            }
            OpKind::Map(map) => {
                let Some(inputs) = self.check_computation(op, &map.body, &types[map.rank..], map.rank) else { return };
                self.check_order(op, &map.order, inputs);
            }
            OpKind::Reduce(reduce) => {
                let body = &reduce.body;
                let Some(inputs) = self.check_computation(op, body, &types[reduce.rank..], reduce.rank) else { return };
                self.check_order(op, &reduce.order, inputs);
                self.check_reducers(op, reduce);
            }
            OpKind::Scan(scan) => self.check_scan(op, scan, &types[scan.rank..]),
            OpKind::StoreReduce(reduce) => {
                let before = self.errors.len();
                let (destinations, inputs) = types[reduce.rank..].split_at(reduce.n_results());
                self.check_inputs(op, reduce.rank.saturating_sub(reduce.n_reduced), destinations);
                self.check_computation(op, &reduce.body, inputs, reduce.rank);
                self.check_reducers(op, reduce);
                if self.errors.len() == before {
                    self.check_destinations(op, destinations, reduce.result_dtypes());
                }
            }
            OpKind::StoreScan(scan) => {
                let before = self.errors.len();
                let (destination, inputs) = types[scan.rank..].split_at(1);
                self.check_inputs(op, scan.rank, destination);
                self.check_scan(op, scan, inputs);
                if self.errors.len() == before {
                    self.check_destinations(op, destination, scan.result_dtype().map(|dtype| vec![dtype]));
                }
            }
            OpKind::Store(store) => {
                let (destinations, inputs) = types[store.rank..].split_at(store.body.outputs.len());
                self.check_inputs(op, store.rank, destinations);
                self.check_computation(op, &store.body, inputs, store.rank);
                let found: Vec<DType> = destinations.iter().map(|t| t.dtype()).collect();
                let is_sound = store.body.outputs.iter().all(|v| (v.0 as usize) < store.body.instrs.len());
                if is_sound && found != store.body.output_dtypes() {
                    self.fail("A12", "a destination has another dtype than the body's output", Some(op));
                }
            }
            OpKind::Scatter(scatter) => self.check_scatter(op, scatter, &types[scatter.rank..]),
            OpKind::Compact(compact) => self.check_compact(op, compact, &types[compact.rank..]),
            OpKind::Nest(nest) => self.check_nest(op, nest),
            OpKind::Object(object) => self.check_object(op, object),
            _ => {}
        }
    }

    /// `A11`, `A12` and `A27`.
    fn check_nest(&mut self, op: &Op, nest: &Nest) {
        if nest.rank > RANK_LIMIT {
            return self.fail("A07", format!("a nest has more than {RANK_LIMIT} axes"), Some(op));
        }
        let (tables, scalars) = op.operands[nest.rank..].split_at(nest.code.n_tables());
        let dtypes: Vec<DType> = self.types(scalars).iter().map(|t| t.dtype()).collect();
        let ranks: Vec<_> = self.types(tables).into_iter().filter_map(array_of).map(|a| (a.dtype, a.rank)).collect();
        match nest.code.check(&dtypes, &ranks, nest.rank) {
            Ok(()) => {}
            Err(BodyError::Body(message)) => return self.fail("A11", message, Some(op)),
            Err(BodyError::Input(message)) => return self.fail("A12", message, Some(op)),
        }
        for (n, written) in tables.iter().enumerate().take(nest.code.n_written()) {
            if tables.iter().enumerate().any(|(m, other)| m != n && other == written) {
                self.fail("A27", format!("{written} is written and another table, too"), Some(op));
            }
        }
        if nest.code.n_written() == 0 {
            self.fail("A27", "the code stores nothing", Some(op));
        }
    }

    /// `A11` and `A12`; the inputs without the tables.
    fn check_computation<'t>(&mut self, op: &Op, body: &Body, operands: &'t [Type], rank: usize) -> Option<&'t [Type]> {
        let Some((inputs, tables)) = body.split_tables(operands) else {
            self.fail("A12", "there are fewer operands than tables", Some(op));
            return None;
        };
        self.check_inputs(op, rank, inputs);
        let Some(tables) = tables.iter().map(|t| array_of(*t).map(|a| (a.dtype, a.rank))).collect::<Option<Vec<_>>>()
        else {
            self.fail("A12", "a table is no array", Some(op));
            return None;
        };
        let dtypes: Vec<DType> = inputs.iter().map(|t| t.dtype()).collect();
        match body.check_with(&dtypes, &tables, rank) {
            Ok(()) => {}
            Err(BodyError::Body(message)) => self.fail("A11", message, Some(op)),
            Err(BodyError::Input(message)) => self.fail("A12", message, Some(op)),
        }
        Some(inputs)
    }

    /// `A19`; `operands` begin with the destination.
    fn check_scatter(&mut self, op: &Op, scatter: &Scatter, operands: &[Type]) {
        let before = self.errors.len();
        let n = scatter.n_destinations;
        if n == 0 || n > 1 && scatter.meeting == Meeting::Accumulating {
            return self.fail("A19", "what is accumulated is one destination", Some(op));
        }
        self.check_computation(op, &scatter.body, &operands[n..], scatter.rank);
        let Some(destination) = array_of(operands[0]).filter(|_| self.errors.len() == before) else { return };
        let outputs = scatter.body.output_dtypes();
        let n_at = n + destination.rank;
        let is_at = outputs.len() >= n_at && outputs[n..n_at].iter().all(|dtype| *dtype == DType::I64);
        let is_condition = outputs.len() == n_at || outputs.len() == n_at + 1 && outputs[n_at] == DType::Bool;
        let fits = |(n, ty): (usize, &Type)| {
            array_of(*ty).is_some_and(|array| array.rank == destination.rank && outputs.get(n) == Some(&array.dtype))
        };
        if !is_at || !is_condition || !operands[..n].iter().enumerate().all(fits) {
            let message = format!("outputs {outputs:?} are no element and indices of {}", Type::Array(destination));
            self.fail("A19", message, Some(op));
        }
        self.check_meeting(op, scatter);
    }

    /// `A19` of the operands behind the destination.
    fn check_meeting(&mut self, op: &Op, scatter: &Scatter) {
        let (destinations, read) = op.operands[scatter.rank..].split_at(scatter.n_destinations);
        let first_table = read.len() - scatter.body.n_tables();
        let itself = (scatter.meeting == Meeting::Accumulating).then_some(first_table);
        if itself.is_some_and(|n| read.get(n) != Some(&destinations[0])) {
            self.fail("A19", "what is accumulated is not the destination", Some(op));
        }
        let is_read = read.iter().enumerate().any(|(n, v)| destinations.contains(v) && Some(n) != itself);
        if is_read && self.function.phase != Phase::Source {
            self.fail("A19", "a scatter reads what it writes", Some(op));
        }
    }

    /// `A31`; `operands` begin with what is written.
    fn check_compact(&mut self, op: &Op, compact: &Compact, operands: &[Type]) {
        let before = self.errors.len();
        let (fixed, read) = operands.split_at(compact.n_fixed());
        self.check_computation(op, &compact.body, read, compact.rank);
        if self.errors.len() > before {
            return;
        }
        let outputs = compact.body.output_dtypes();
        let (counts, destinations) = match compact.n_destinations {
            0 => (0, 0..0),
            n => (n, 0..n),
        };
        let is_vector = |ty: &Type, dtype: DType| array_of(*ty).is_some_and(|a| a.rank == 1 && a.dtype == dtype);
        let fits = fixed[destinations.clone()].iter().zip(&outputs).all(|(ty, dtype)| is_vector(ty, *dtype));
        let has_condition = outputs.len() == destinations.len() + 1 && outputs.last() == Some(&DType::Bool);
        if compact.rank == 0 || !fits || !has_condition || !is_vector(&fixed[counts], DType::I64) {
            self.fail("A31", format!("outputs {outputs:?} are not counted or moved so"), Some(op));
        }
        let (written, read) = op.operands[compact.rank..].split_at(compact.n_written());
        if written.iter().any(|v| read.contains(v)) {
            self.fail("A31", "what is written is read, too", Some(op));
        }
    }

    fn check_message(&mut self, op: &Op, message: &str, payload: &[Type]) {
        let placeholders: Vec<Option<Format>> =
            pieces(message).iter().filter_map(|p| if let Piece::Payload(d) = p { Some(*d) } else { None }).collect();
        if placeholders.len() != payload.len() {
            let message = format!("{} placeholders for {} payloads", placeholders.len(), payload.len());
            return self.fail("A10", message, Some(op));
        }
        for (format, ty) in placeholders.iter().zip(payload) {
            let taken = |format: &Format| if format.kind == 'd' { DType::I64 } else { DType::F64 };
            if !SHOWN.contains(&ty.dtype()) || format.is_some_and(|format| ty.dtype() != taken(&format)) {
                self.fail("A10", format!("a message cannot show a `{}` so", ty.dtype()), Some(op));
            }
        }
    }

    fn check_constant(&mut self, op: &Op, constant: Constant) {
        let ty = op.results.first().map(|v| self.function.ty(*v));
        if !matches!(ty, Some(Type::Scalar(dtype)) if is_canonical(constant, dtype)) {
            self.fail("A10", "the constant is none of the result's dtype", Some(op));
        }
    }

    fn check_inputs(&mut self, op: &Op, rank: usize, inputs: &[Type]) {
        if inputs.contains(&Type::Object) {
            self.fail("A12", "an object is no input", Some(op));
        }
        for (n, array) in inputs.iter().enumerate().filter_map(|(n, t)| Some((n, array_of(*t)?))) {
            if array.rank != rank {
                self.fail("A12", format!("array {n} has rank {}, the iteration space {rank}", array.rank), Some(op));
            }
        }
    }

    /// `A12` of stored results.
    fn check_destinations(&mut self, op: &Op, destinations: &[Type], results: Option<Vec<DType>>) {
        let found: Vec<DType> = destinations.iter().map(|t| t.dtype()).collect();
        if results.is_some_and(|results| results != found) {
            self.fail("A12", "a destination has another dtype than its result", Some(op));
        }
    }

    /// `A12`, `A14`, `A26`.
    fn check_scan(&mut self, op: &Op, scan: &Scan, inputs: &[Type]) {
        let Some(inputs) = self.check_computation(op, &scan.body, inputs, scan.rank) else { return };
        if matches!(op.kind, OpKind::Scan(_)) {
            self.check_order(op, &scan.order, inputs);
        }
        if scan.axis >= scan.rank {
            return self.fail("A26", format!("axis {} of {}", scan.axis, scan.rank), Some(op));
        }
        let [output, factors @ ..] = scan.body.outputs.as_slice() else {
            return self.fail("A26", "a scan's body has no output", Some(op));
        };
        if scan.body.outputs.iter().any(|v| v.0 as usize >= scan.body.instrs.len()) {
            return;
        }
        let is_factor = |v: &Val| scan.reducer == Reducer::Add && scan.body.dtype(*v) == scan.body.dtype(*output);
        if factors.len() > 1 || !factors.iter().all(is_factor) {
            return self.fail("A26", "a scan's body has an output that is no factor of sums", Some(op));
        }
        let total = scan.reducer.result(scan.body.dtype(*output)).filter(|_| !scan.reducer.is_positional());
        let Some(total) = total else {
            return self.fail("A26", "no running totals of this reducer and dtype", Some(op));
        };
        let Some(epilogue) = &scan.epilogue else { return };
        if let Err(error) = epilogue.check(&[total], scan.rank) {
            self.fail("A11", format!("the epilogue: {error:?}"), Some(op));
        } else if epilogue.outputs.len() != 1 {
            self.fail("A26", "a scan's epilogue has one output", Some(op));
        }
    }

    fn check_reducers(&mut self, op: &Op, reduce: &Reduce) {
        let body = &reduce.body;
        if reduce.n_reduced > reduce.rank {
            return self.fail("A13", "more axes are reduced than there are", Some(op));
        }
        if reduce.reducers.len() != body.outputs.len() {
            let (reducers, outputs) = (reduce.reducers.len(), body.outputs.len());
            return self.fail("A13", format!("{reducers} reducers for {outputs} outputs"), Some(op));
        }
        if body.outputs.iter().any(|v| v.0 as usize >= body.instrs.len()) {
            return;
        }
        let reduced: Option<Vec<DType>> =
            reduce.reducers.iter().zip(body.output_dtypes()).map(|(r, dtype)| r.result(dtype)).collect();
        match (reduced, &reduce.epilogue) {
            (None, _) => self.fail("A13", "a reducer is not defined on its element's dtype", Some(op)),
            (Some(reduced), Some(epilogue)) => {
                if let Err(error) = epilogue.check(&reduced, reduce.rank - reduce.n_reduced) {
                    self.fail("A11", format!("the epilogue: {error:?}"), Some(op));
                }
            }
            (Some(_), None) => {}
        }
    }

    fn are_axes_of_result(&self, op: &Op, axes: &[usize]) -> bool {
        let result = op.results.first().and_then(|v| array_of(self.function.ty(*v)));
        result.is_some_and(|array| axes.len() == array.rank && (0..array.rank).all(|axis| axes.contains(&axis)))
    }

    /// `A14`.
    fn check_order(&mut self, op: &Op, order: &Order, inputs: &[Type]) {
        let mut open: Vec<&OrderTerm> = if let Order::K(terms) = order { terms.iter().collect() } else { Vec::new() };
        while let Some(term) = open.pop() {
            let named = match term {
                OrderTerm::Fresh { like, axes, terms } => {
                    if !axes.is_empty() && !self.are_axes_of_result(op, axes) {
                        self.fail(
                            "A14",
                            "an order names axes that the result has not, or not each of its axes",
                            Some(op),
                        );
                    }
                    open.extend(terms);
                    *like
                }
                OrderTerm::Input(n) | OrderTerm::Copy(n) | OrderTerm::Joined(n) => Some(*n),
            };
            if let Some(n) = named
                && inputs.get(n).is_none_or(|t| array_of(*t).is_none())
            {
                self.fail("A14", format!("input {n} is no array"), Some(op));
            }
        }
    }
}
