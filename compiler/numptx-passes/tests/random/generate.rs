//! Random programs in array IR: views of views, elementwise expressions, reductions, overlapping assignments, branches and loops.

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Builder, ErrorKind, Function, Layout, OpKind, Type, ValueId};
use numptx_ir::scalar::{Body, BodyBuilder, CodeBuilder, Reducer, ScalarOp, Val};
use numptx_ir::signature::{Parameter, ParameterType, ResultType, Signature};

/// A generator of numbers, the same on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

struct Generator {
    random: Random,
    builder: Builder,
    dtype: DType,
    /// Arrays in scope.
    arrays: Vec<ValueId>,
    /// `i64` scalars in scope.
    integers: Vec<ValueId>,
    depth: usize,
}

/// Ranks of the parameters of the program of a seed.
pub fn parameter_ranks(seed: u64) -> Vec<usize> {
    let mut random = Random::new(seed ^ 0x5eed);
    (0..2 + random.below(2)).map(|_| random.pick(&[1, 2, 2, 3])).collect()
}

/// The element type of the program of a seed.
pub fn dtype_of(seed: u64) -> DType {
    [DType::I64, DType::F64, DType::I32, DType::C128][(seed % 4) as usize]
}

/// The program of a seed.
pub fn generate(seed: u64) -> Function {
    let dtype = dtype_of(seed);
    let mut generator = Generator {
        random: Random::new(seed),
        builder: Builder::new("f.0"),
        dtype,
        arrays: Vec::new(),
        integers: Vec::new(),
        depth: 0,
    };
    let ranks = parameter_ranks(seed);
    for rank in &ranks {
        let ty = generator.array_type(*rank);
        let value = generator.builder.parameter(ty, "a");
        generator.arrays.push(value);
    }
    for value in generator.arrays.clone() {
        let extents = generator.builder.shape(value);
        generator.integers.extend(extents);
    }
    let n_statements = 3 + generator.random.below(8);
    generator.statements(n_statements);
    generator.finish(&ranks)
}

fn constant(value: f64, dtype: DType) -> Body {
    let mut body = BodyBuilder::new();
    let value = body.constant(value, dtype);
    body.finish(vec![value])
}

impl Generator {
    fn array_type(&self, rank: usize) -> Type {
        Type::Array(ArrayType { dtype: self.dtype, rank, layout: Layout::Any, writable: true })
    }

    fn finish(mut self, ranks: &[usize]) -> Function {
        let n_results = 1 + self.random.below(3);
        let results: Vec<ValueId> = (0..n_results).map(|_| self.any_array()).collect();
        let leaf = |v: &ValueId| ResultType::Array { dtype: self.builder.dtype(*v), rank: self.builder.rank(*v) };
        let result = ResultType::Tuple(results.iter().map(leaf).collect());
        let parameter = |rank: &usize| Parameter {
            name: "a".into(),
            ty: ParameterType::Array { dtype: self.dtype, extents: vec![None; *rank], order: None },
            by_name: false,
        };
        let parameters = ranks.iter().map(parameter).collect();
        self.builder.emit(OpKind::Return, results);
        self.builder.finish(Signature {
            function: "f".into(),
            text: "f".into(),
            parameters,
            result,
            same: Vec::new(),
            numbered: Vec::new(),
            defaults: Vec::new(),
            docstring: None,
        })
    }

    fn any_array(&mut self) -> ValueId {
        // Recent arrays more often: chains.
        let n = self.arrays.len();
        let back = self.random.below(n).min(self.random.below(n));
        self.arrays[n - 1 - back]
    }

    fn is_main(&self, value: ValueId) -> bool {
        self.builder.dtype(value) == self.dtype
    }

    fn is_writable(&self, value: ValueId) -> bool {
        matches!(self.builder.ty(value), Type::Array(array) if array.writable)
    }

    fn statements(&mut self, n: usize) {
        for _ in 0..n {
            match self.random.below(18) {
                0..=3 => self.view(),
                4..=7 => self.map(),
                8 => self.reduce(),
                9..=11 => self.assign(),
                12 => self.branch(),
                13 => self.repeat(),
                14 => self.create(),
                15 => self.rows(),
                16 => self.recurrence(),
                _ => self.item(),
            }
        }
    }

    fn check(&mut self, condition: ValueId) {
        self.builder.check(condition, ErrorKind::Index, "out of range", &[]);
    }

    fn view(&mut self) {
        let v = self.any_array();
        let rank = self.builder.rank(v);
        let view = match self.random.below(10) {
            0..=2 if rank > 0 => self.slice(v),
            3 if rank > 0 => self.index(v),
            4 if rank > 1 => {
                let mut permutation: Vec<usize> = (0..rank).collect();
                permutation.rotate_left(1 + self.random.below(rank - 1));
                self.builder.permute(v, &permutation)
            }
            5 if rank < 3 => {
                let axis = self.random.below(rank + 1);
                self.builder.new_axis(v, axis)
            }
            6 if rank < 3 => {
                let extent = self.random.pick(&self.integers.clone());
                let extents = [&[extent], &self.builder.shape(v)[..]].concat();
                self.builder.broadcast_to(v, &extents)
            }
            7 if rank > 1 => {
                let mut size = self.builder.i64(1);
                for extent in self.builder.shape(v) {
                    size = self.builder.scalar(ScalarOp::Mul, &[size, extent]);
                }
                self.builder.reshape(v, &[size])
            }
            8 if rank > 1 => self.diagonal(v),
            9 if rank > 0 && rank < 3 => self.windows(v),
            _ if self.builder.dtype(v).is_complex() => {
                let imaginary = self.random.below(2) == 0;
                let part = self.builder.part(v, imaginary);
                let extents = self.builder.shape(part);
                let dtype = self.dtype;
                let mut body = BodyBuilder::new();
                let x = body.input(0, dtype.real());
                let zero = body.constant(0.0, dtype.real());
                let c = body.op(ScalarOp::Complex, &[x, zero]);
                self.builder.map(&extents, &[part], body.finish(vec![c]))[0]
            }
            _ => return,
        };
        self.arrays.push(view);
    }

    fn slice(&mut self, v: ValueId) -> ValueId {
        let axis = self.random.below(self.builder.rank(v));
        let extent = self.builder.dim(v, axis);
        let step = self.random.pick(&[1, 1, 1, 2, -1]);
        let bound = |g: &mut Self| {
            let n = g.random.pick(&[-2i64, -1, 0, 1, 2]);
            (g.random.below(2) == 0).then(|| g.builder.i64(n))
        };
        let (lower, upper) = (bound(self), bound(self));
        let step = self.builder.i64(step);
        let operands: Vec<ValueId> = lower.into_iter().chain(upper).chain([step, extent]).collect();
        let kind = OpKind::SliceBounds { lower: lower.is_some(), upper: upper.is_some() };
        let bounds = self.builder.emit(kind, operands);
        self.builder.slice(v, axis, bounds[0], bounds[1], step)
    }

    fn diagonal(&mut self, v: ValueId) -> ValueId {
        let mut axes: Vec<usize> = (0..self.builder.rank(v)).collect();
        let first = axes.swap_remove(self.random.below(axes.len()));
        let second = self.random.pick(&axes);
        let extents = [first, second].map(|axis| self.builder.dim(v, axis));
        let length = self.builder.scalar(ScalarOp::Min, &extents);
        let (zero, one) = (self.builder.i64(0), self.builder.i64(1));
        let narrowed = self.builder.slice(v, first, zero, length, one);
        let narrowed = self.builder.slice(narrowed, second, zero, length, one);
        self.builder.diagonal(narrowed, [first, second])
    }

    fn windows(&mut self, v: ValueId) -> ValueId {
        let axis = self.random.below(self.builder.rank(v));
        let extent = self.builder.dim(v, axis);
        let n = self.random.below(3) as i64;
        let length = self.builder.i64(n);
        let fits = self.builder.scalar(ScalarOp::Le, &[length, extent]);
        self.check(fits);
        let fewer = self.builder.i64(n - 1);
        let count = self.builder.scalar(ScalarOp::Sub, &[extent, fewer]);
        self.builder.windows(v, axis, count, length)
    }

    fn index(&mut self, v: ValueId) -> ValueId {
        let axis = self.random.below(self.builder.rank(v));
        let extent = self.builder.dim(v, axis);
        let i = self.random.pick(&[0i64, 1, -1]);
        let mut index = self.builder.i64(i);
        if i < 0 {
            index = self.builder.scalar(ScalarOp::Add, &[extent, index]);
        }
        let zero = self.builder.i64(0);
        let from = self.builder.scalar(ScalarOp::Le, &[zero, index]);
        self.check(from);
        let below = self.builder.scalar(ScalarOp::Lt, &[index, extent]);
        self.check(below);
        self.builder.index(v, axis, index)
    }

    fn body(&mut self, n_inputs: usize, rank: usize) -> Body {
        let mut body = BodyBuilder::new();
        let mut vals: Vec<Val> = (0..n_inputs).map(|n| body.input(n as u32, self.dtype)).collect();
        if vals.is_empty() || self.random.below(4) == 0 {
            vals.push(body.constant(self.random.below(5) as f64, self.dtype));
        }
        if rank > 0 && self.random.below(4) == 0 {
            let index = body.index(self.random.below(rank) as u32);
            let index = if self.dtype.is_complex() { body.cast(index, DType::F64) } else { index };
            vals.push(body.cast(index, self.dtype));
        }
        let mut last = vals[0];
        for val in &vals[1..] {
            let op = self.random.pick(&[ScalarOp::Add, ScalarOp::Sub, ScalarOp::Mul]);
            last = body.op(op, &[last, *val]);
        }
        body.finish(vec![last])
    }

    fn map(&mut self) {
        let n_inputs = 1 + self.random.below(3);
        let mut inputs: Vec<ValueId> = (0..n_inputs).map(|_| self.any_array()).collect();
        inputs.retain(|v| self.is_main(*v));
        let shapes: Vec<Vec<ValueId>> = inputs.iter().map(|v| self.builder.shape(*v)).collect();
        let extents = self.builder.broadcast_shapes(&shapes);
        let body = self.body(inputs.len(), extents.len());
        let result = self.builder.map(&extents, &inputs, body);
        self.arrays.extend(result);
    }

    /// A map without array inputs.
    fn create(&mut self) {
        let like = self.any_array();
        let extents = self.builder.shape(like);
        let body = self.body(0, extents.len());
        let order = numptx_ir::array::Order::C;
        let result = self.builder.map_ordered(&extents, &[], body, order);
        self.arrays.extend(result);
    }

    fn reduce(&mut self) {
        let v = self.any_array();
        let rank = self.builder.rank(v);
        if rank == 0 || !self.is_main(v) {
            return;
        }
        let n_reduced = 1 + self.random.below(rank);
        let extents = self.builder.shape(v);
        let reducer = self.random.pick(&[Reducer::Add, Reducer::Mul]);
        let body = self.body(1, 0);
        let results = self.builder.reduce(&extents, n_reduced, &[v], body.clone(), &[reducer], None);
        self.arrays.extend(results);
        if self.random.below(2) == 0 {
            let results = self.builder.reduce(&extents, n_reduced, &[v], body, &[Reducer::Add], None);
            self.arrays.extend(results);
        }
    }

    fn assign(&mut self) {
        let destination = self.any_array();
        let source = self.any_array();
        let rank = self.builder.rank(destination);
        let fits = self.is_writable(destination) && self.is_main(destination) && self.is_main(source);
        if !fits || self.builder.rank(source) > rank {
            return;
        }
        let (extents, shape) = (self.builder.shape(destination), self.builder.shape(source));
        let one = self.builder.i64(1);
        for (extent, own) in extents[rank - shape.len()..].iter().zip(&shape) {
            let equal = self.builder.scalar(ScalarOp::Eq, &[*extent, *own]);
            let is_one = self.builder.scalar(ScalarOp::Eq, &[*own, one]);
            let either = self.builder.scalar(ScalarOp::BitOr, &[equal, is_one]);
            self.check(either);
        }
        let source = if self.random.below(3) == 0 {
            self.builder.broadcast_to(source, &extents)
        } else {
            let n_inputs = 1 + self.random.below(2);
            let inputs = [source, destination];
            let body = self.body(n_inputs, rank);
            self.builder.map(&extents, &inputs[..n_inputs], body)[0]
        };
        self.builder.assign(destination, source);
    }

    /// A fresh array of what a loop along the last axis of one or two arrays gives, at every index of the others.
    fn rows(&mut self) {
        let v = self.any_array();
        let rank = self.builder.rank(v);
        if rank == 0 || !self.is_main(v) {
            return;
        }
        let extents = self.builder.shape(v);
        let other = [v, self.any_array()][self.random.below(2)];
        let other = if self.builder.shape(other) == extents && self.is_main(other) { other } else { v };
        let (kept, length) = (&extents[..rank - 1], extents[rank - 1]);
        let result = self.builder.alloc(self.dtype, kept, numptx_ir::array::Order::C);
        let mut code = CodeBuilder::new();
        let point: Vec<Val> = (0..rank - 1).map(|axis| code.index(axis as u32)).collect();
        let bounds = [code.integer(0), code.input(0, DType::I64), code.integer(1)];
        let zero = code.inline(&constant(2.0, self.dtype), &[], &[], &[])[0];
        let inside = code.open_block(&[DType::I64, self.dtype]);
        let at = [&point[..], &inside[..1]].concat();
        let (a, b) = (code.load(1, &at, self.dtype), code.load(2, &at, self.dtype));
        let op = self.random.pick(&[ScalarOp::Add, ScalarOp::Sub, ScalarOp::Mul]);
        let product = code.op(op, &[a, b]);
        let sum = code.op(ScalarOp::Add, &[inside[1], product]);
        let body = code.close_block(&[sum]);
        let sum = code.for_(bounds, &[zero], body);
        code.store(0, &point, sum[0]);
        self.builder.nest(kept, &[result, v, other], &[length], code.finish());
        self.arrays.push(result);
    }

    /// Each element along the last axis becomes what the one before it gives with it.
    fn recurrence(&mut self) {
        let v = self.any_array();
        let rank = self.builder.rank(v);
        if rank == 0 || !self.is_main(v) || !self.is_writable(v) {
            return;
        }
        let extents = self.builder.shape(v);
        let mut code = CodeBuilder::new();
        let point: Vec<Val> = (0..rank - 1).map(|axis| code.index(axis as u32)).collect();
        let one = code.integer(1);
        let length = code.input(0, DType::I64);
        let k = code.open_block(&[DType::I64])[0];
        let before = code.op(ScalarOp::Sub, &[k, one]);
        let (at, at_before) = ([&point[..], &[k]].concat(), [&point[..], &[before]].concat());
        let (a, b) = (code.load(0, &at_before, self.dtype), code.load(0, &at, self.dtype));
        let op = self.random.pick(&[ScalarOp::Add, ScalarOp::Sub]);
        let next = code.op(op, &[a, b]);
        code.store(0, &at, next);
        let body = code.close_block(&[]);
        code.for_([one, length, one], &[], body);
        self.builder.nest(&extents[..rank - 1], &[v], &extents[rank - 1..], code.finish());
    }

    fn item(&mut self) {
        let v = self.any_array();
        if self.builder.rank(v) != 0 || self.dtype != DType::I64 {
            return;
        }
        let item = self.builder.item(v);
        let like = self.any_array();
        let extents = self.builder.shape(like);
        let body = self.body(2, extents.len());
        let result = self.builder.map(&extents, &[like, item], body);
        self.arrays.extend(result);
    }

    /// Arrays in scope that may be carried: writable and of this rank.
    fn carried(&self, rank: usize) -> Vec<ValueId> {
        let fits = |v: &ValueId| self.is_writable(*v) && self.is_main(*v) && self.builder.rank(*v) == rank;
        self.arrays.iter().copied().filter(fits).collect()
    }

    fn nested(&mut self, ranks: &[usize]) -> Vec<ValueId> {
        let (n_arrays, n_integers) = (self.arrays.len(), self.integers.len());
        self.depth += 1;
        let n = self.random.below(4);
        self.statements(n);
        self.depth -= 1;
        let yielded = ranks.iter().map(|rank| {
            let candidates = self.carried(*rank);
            candidates[self.random.0 as usize % candidates.len()]
        });
        let yielded: Vec<ValueId> = yielded.collect();
        self.arrays.truncate(n_arrays);
        self.integers.truncate(n_integers);
        yielded
    }

    fn carried_ranks(&mut self) -> Vec<usize> {
        let n = self.random.below(3);
        let ranks: Vec<usize> = (0..n).map(|_| self.random.below(4)).collect();
        ranks.into_iter().filter(|rank| !self.carried(*rank).is_empty()).collect()
    }

    fn branch(&mut self) {
        if self.depth >= 2 {
            return;
        }
        let ranks = self.carried_ranks();
        let types: Vec<Type> = ranks.iter().map(|rank| self.array_type(*rank)).collect();
        let bound = self.random.below(4) as i64;
        let bound = self.builder.i64(bound);
        let extent = self.random.pick(&self.integers.clone());
        let condition = self.builder.scalar(ScalarOp::Lt, &[extent, bound]);
        let mut regions = Vec::new();
        for _ in 0..2 {
            self.builder.open_region(&[]);
            let yielded = self.nested(&ranks);
            self.builder.emit(OpKind::Yield, yielded);
            regions.push(self.builder.close_region());
        }
        let results = self.builder.emit_typed(OpKind::If, vec![condition], types, regions);
        self.arrays.extend(results);
    }

    fn repeat(&mut self) {
        if self.depth >= 2 {
            return;
        }
        let ranks = self.carried_ranks();
        let types: Vec<Type> = ranks.iter().map(|rank| self.array_type(*rank)).collect();
        let initial: Vec<ValueId> = ranks
            .iter()
            .map(|rank| {
                let candidates = self.carried(*rank);
                self.random.pick(&candidates)
            })
            .collect();
        if self.random.below(3) == 0 {
            self.while_loop(&ranks, types, initial)
        } else {
            self.for_loop(&ranks, types, initial)
        }
    }

    fn for_loop(&mut self, ranks: &[usize], types: Vec<Type>, initial: Vec<ValueId>) {
        let upper = self.random.below(4) as i64;
        let (lower, upper, step) = (self.builder.i64(0), self.builder.i64(upper), self.builder.i64(1));
        let parameters = self.builder.open_region(&[&[Type::Scalar(DType::I64)], &types[..]].concat());
        let n_arrays = self.arrays.len();
        self.arrays.extend(&parameters[1..]);
        let yielded = self.nested(ranks);
        self.arrays.truncate(n_arrays);
        self.builder.emit(OpKind::Yield, yielded);
        let region = self.builder.close_region();
        let operands = [&[lower, upper, step], &initial[..]].concat();
        let results = self.builder.emit_typed(OpKind::For, operands, types, vec![region]);
        self.arrays.extend(results);
    }

    /// Runs while a counter is below a bound.
    fn while_loop(&mut self, ranks: &[usize], types: Vec<Type>, initial: Vec<ValueId>) {
        let types = [&[Type::Scalar(DType::I64)], &types[..]].concat();
        let (zero, one) = (self.builder.i64(0), self.builder.i64(1));
        let bound = self.random.below(4) as i64;
        let bound = self.builder.i64(bound);
        let parameters = self.builder.open_region(&types);
        let condition = self.builder.scalar(ScalarOp::Lt, &[parameters[0], bound]);
        self.builder.emit(OpKind::Yield, vec![condition]);
        let test = self.builder.close_region();
        let parameters = self.builder.open_region(&types);
        let n_arrays = self.arrays.len();
        self.arrays.extend(&parameters[1..]);
        let next = self.builder.scalar(ScalarOp::Add, &[parameters[0], one]);
        let yielded = self.nested(ranks);
        self.arrays.truncate(n_arrays);
        self.builder.emit(OpKind::Yield, [&[next], &yielded[..]].concat());
        let body = self.builder.close_region();
        let operands = [&[zero], &initial[..]].concat();
        let results = self.builder.emit_typed(OpKind::While, operands, types, vec![test, body]);
        self.arrays.extend(&results[1..]);
    }
}
