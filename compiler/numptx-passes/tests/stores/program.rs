//! Random programs of one store: `a[…] = 2·s + 3·t + 1`, where `s` and `t` are views of `a`, or of an argument that may overlap it. Bounds are
//! constants or come as arguments.

use numptx_ir::DType;
use numptx_ir::array::interpret::{Value, View};
use numptx_ir::scalar::Constant;

/// SplitMix64.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
}

/// An argument: where it begins in the memory, its extents and strides, in elements.
#[derive(Clone, Debug)]
struct Array {
    first: i64,
    shape: Vec<i64>,
    strides: Vec<i64>,
}

/// One axis of a view.
#[derive(Clone, Copy, Debug)]
struct Slice {
    start: i64,
    length: i64,
    step: i64,
}

/// A program, and arguments for it.
pub struct Program {
    pub text: String,
    arrays: Vec<Array>,
    scalars: Vec<i64>,
}

const MEMORY: i64 = 400;

impl Program {
    pub fn random(seed: u64) -> Program {
        let mut numbers = Numbers(seed);
        let rank = 1 + numbers.below(3);
        let shape: Vec<i64> = [[9, 0, 0], [5, 6, 0], [3, 4, 5]][rank - 1][..rank].to_vec();
        let mut arrays = vec![Array::random(&mut numbers, shape.clone())];
        if numbers.chance(2) {
            arrays.push(Array::random(&mut numbers, shape));
        }
        let writer = Writer { numbers, arrays, ops: String::new(), scalars: Vec::new(), next: 0 };
        writer.write()
    }

    /// The memory, all of it, and the arguments over it.
    pub fn arguments(&self) -> (View, Vec<Value>) {
        let elements: Vec<Constant> = (0..MEMORY).map(|n| Constant::Int(n * n % 1009)).collect();
        let memory = View::new(DType::I64, &[MEMORY], &elements);
        let array = |a: &Array| {
            let strides = a.strides.iter().map(|s| 8 * s).collect();
            Value::Array(View { offset: 8 * a.first, shape: a.shape.clone(), strides, ..memory.clone() })
        };
        let scalars = self.scalars.iter().map(|s| Value::Scalar(Constant::Int(*s)));
        let arguments = self.arrays.iter().map(array).chain(scalars).collect();
        (memory, arguments)
    }

    /// Whether two arguments have an element in common.
    pub fn do_arguments_overlap(&self) -> bool {
        let [a, b] = &self.arrays[..] else { return false };
        let (a, b) = (a.elements(), b.elements());
        a.iter().any(|element| b.contains(element))
    }
}

impl Array {
    /// Anywhere, with strides of any sign and gaps.
    fn random(numbers: &mut Numbers, shape: Vec<i64>) -> Array {
        let rank = shape.len();
        let mut strides = vec![0; rank];
        let mut step = 1 + numbers.below(2) as i64;
        let is_f = numbers.chance(4);
        let mut first = numbers.below(60) as i64;
        for k in 0..rank {
            let axis = if is_f { k } else { rank - 1 - k };
            strides[axis] = step;
            step *= shape[axis];
            if numbers.chance(4) {
                first += strides[axis] * (shape[axis] - 1);
                strides[axis] = -strides[axis];
            }
        }
        Array { first, shape, strides }
    }

    fn elements(&self) -> Vec<i64> {
        let mut elements = vec![self.first];
        for (extent, stride) in self.shape.iter().zip(&self.strides) {
            elements = elements.iter().flat_map(|at| (0..*extent).map(move |i| at + i * stride)).collect();
        }
        elements
    }
}

struct Writer {
    numbers: Numbers,
    arrays: Vec<Array>,
    ops: String,
    scalars: Vec<i64>,
    /// The next value's number, counted from 100: parameters have lower ones.
    next: usize,
}

impl Writer {
    fn write(mut self: Writer) -> Program {
        let rank = self.arrays[0].shape.len();
        let (to, shape) = self.destination();
        let extents: Vec<String> = shape.iter().map(|extent| self.number(*extent)).collect();
        let n_operands = 1 + self.numbers.below(2);
        let operands: Vec<String> = (0..n_operands).map(|_| self.operand(&to, &shape, &extents)).collect();
        let result = self.value();
        let (n, list, terms) = (shape.len(), operands.join(", "), (0..n_operands).map(|k| k.to_string()));
        let (spaced, order) = (extents.iter().map(|e| format!("{e}, ")).collect::<String>(), terms.collect::<Vec<_>>());
        let body = match n_operands {
            1 => "$0 = input 0 : i64\n$1 = constant 1 : i64\n$2 = add $0, $1 : i64\n$3 = add $2, $0 : i64\nyield $3",
            _ => "$0 = input 0 : i64\n$1 = input 1 : i64\n$2 = add $0, $1 : i64\n$3 = add $2, $1 : i64\nyield $3",
        };
        let ty = format!("i64[{n}] {} mut", if n <= 1 { "C" } else { "any" });
        let order = if n <= 1 { "C".to_string() } else { format!("K({})", order.join(", ")) };
        self.ops += &format!("  {result} = map<{n}, {order}> {spaced}{list} {{\n{body}\n}} : {ty}\n");
        self.ops += &format!("  assign {to}, {result}\n  return\n");
        self.program(rank)
    }

    fn program(self, rank: usize) -> Program {
        let colons = vec![":"; rank].join(", ");
        let n_arrays = self.arrays.len();
        let array = |k: usize| format!("%{k} \"a{k}\": i64[{rank}] any mut");
        let scalar = |k: usize| format!("%{} \"n{k}\": i64", n_arrays + k);
        let parameters: Vec<String> = (0..n_arrays).map(array).chain((0..self.scalars.len()).map(scalar)).collect();
        let array = |k: usize| format!("\"a{k}\": i64[{colons}]");
        let scalar = |k: usize| format!("\"n{k}\": i64");
        let exported: Vec<String> = (0..n_arrays).map(array).chain((0..self.scalars.len()).map(scalar)).collect();
        let text = format!(
            "module \"m\"\n\nfunc @f.0 mayalias source ({}) {{\n  export \"f\" \"f\" ({}) -> none\n{}}}\n",
            parameters.join(", "),
            exported.join(", "),
            self.ops
        );
        Program { text, arrays: self.arrays, scalars: self.scalars }
    }

    fn value(&mut self) -> String {
        self.next += 1;
        format!("%{}", self.next + 99)
    }

    /// A number as a constant, or as an argument of the function.
    fn number(&mut self, number: i64) -> String {
        if self.numbers.chance(3) && self.scalars.len() < 40 {
            self.scalars.push(number);
            return format!("%{}", self.arrays.len() + self.scalars.len() - 1);
        }
        let value = self.value();
        self.ops += &format!("  {value} = constant<{number}> : i64\n");
        value
    }

    /// A view op of one operand and some numbers.
    fn view(&mut self, op: &str, of: &str, numbers: &[String], rank: usize, writable: bool) -> String {
        let value = self.value();
        let operands: String = numbers.iter().map(|n| format!(", {n}")).collect();
        let writable = if writable { " mut" } else { "" };
        self.ops += &format!("  {value} = {op} {of}{operands} : i64[{rank}] any{writable}\n");
        value
    }

    /// Indices along an axis of some extent; of a wanted length, if one is wanted and they exist.
    fn slice(&mut self, extent: i64, wanted: Option<i64>) -> Option<Slice> {
        let step = [1, 1, 1, 2, -1, -2][self.numbers.below(6)];
        let most = (extent - 1) / i64::abs(step) + 1;
        let length = wanted.unwrap_or_else(|| self.numbers.below(most as usize + 1) as i64);
        if length > most {
            return None;
        }
        let reach = (length - 1).max(0) * i64::abs(step);
        let low = self.numbers.below((extent - reach) as usize) as i64;
        Some(Slice { start: if step < 0 { low + reach } else { low }, length, step })
    }

    /// What is written, and its extents.
    fn destination(&mut self) -> (String, Vec<i64>) {
        let mut to = "%0".to_string();
        let mut shape = self.arrays[0].shape.clone();
        let mut axis = 0;
        while axis < shape.len() {
            match self.numbers.below(6) {
                0 | 1 => axis += 1,
                2 if shape.len() > 1 => {
                    let index = self.numbers.below(shape[axis] as usize) as i64;
                    let index = self.number(index);
                    shape.remove(axis);
                    to = self.view(&format!("index<{axis}>"), &to, &[index], shape.len(), true);
                }
                _ => {
                    if let Some(slice) = self.slice(shape[axis], None) {
                        to = self.sliced(&to, axis, slice, shape.len(), true);
                        shape[axis] = slice.length;
                    }
                    axis += 1;
                }
            }
        }
        if shape.len() == 2 && self.numbers.chance(5) {
            shape.reverse();
            to = self.view("permute<1, 0>", &to, &[], 2, true);
        }
        (to, shape)
    }

    fn sliced(&mut self, of: &str, axis: usize, slice: Slice, rank: usize, writable: bool) -> String {
        let numbers = [slice.start, slice.length, slice.step].map(|n| self.number(n));
        self.view(&format!("slice<{axis}>"), of, &numbers, rank, writable)
    }

    /// What is read: the destination itself now and then, else a view that has or broadcasts to its extents.
    fn operand(&mut self, to: &str, shape: &[i64], extents: &[String]) -> String {
        if self.numbers.chance(5) {
            return to.to_string();
        }
        for _ in 0..20 {
            if let Some(found) = self.view_of(shape, extents) {
                return found;
            }
        }
        to.to_string()
    }

    /// A view whose axes run along axes of an argument in some order; the others are indexed.
    fn view_of(&mut self, shape: &[i64], extents: &[String]) -> Option<String> {
        let before = (self.ops.len(), self.scalars.len(), self.next);
        let source = self.numbers.below(self.arrays.len());
        let from = self.arrays[source].shape.clone();
        let kept = shape.len().min(from.len()).min(self.numbers.below(shape.len() + 2));
        let mut order: Vec<usize> = (0..from.len()).collect();
        if self.numbers.chance(2) {
            order.reverse();
        }
        let mut chosen: Vec<usize> = order[order.len() - kept..].to_vec();
        let found = self.narrowed(source, &from, &mut chosen, shape, extents);
        if found.is_none() {
            self.ops.truncate(before.0);
            self.scalars.truncate(before.1);
            self.next = before.2;
        }
        found
    }

    fn narrowed(
        &mut self,
        source: usize,
        from: &[i64],
        chosen: &mut [usize],
        shape: &[i64],
        extents: &[String],
    ) -> Option<String> {
        let added = shape.len() - chosen.len();
        let mut view = format!("%{source}");
        let mut lengths = Vec::new();
        for (position, axis) in chosen.iter().enumerate() {
            let wanted = shape[added + position];
            let wanted = if self.numbers.chance(6) { 1 } else { wanted };
            let slice = self.slice(from[*axis], Some(wanted))?;
            view = self.sliced(&view, *axis, slice, from.len(), true);
            lengths.push(slice.length);
        }
        let mut rank = from.len();
        for axis in (0..from.len()).rev().filter(|axis| !chosen.contains(axis)) {
            let index = self.numbers.below(from[axis] as usize) as i64;
            let index = self.number(index);
            rank -= 1;
            view = self.view(&format!("index<{axis}>"), &view, &[index], rank, true);
        }
        let mut sorted = chosen.to_vec();
        sorted.sort_unstable();
        let permutation: Vec<usize> = chosen.iter().filter_map(|axis| sorted.iter().position(|s| s == axis)).collect();
        if permutation.iter().enumerate().any(|(i, p)| i != *p) {
            let list: Vec<String> = permutation.iter().map(usize::to_string).collect();
            view = self.view(&format!("permute<{}>", list.join(", ")), &view, &[], rank, true);
        }
        let is_stretched = added > 0 || lengths != shape[added..];
        if is_stretched || self.numbers.chance(4) {
            view = self.view("broadcast", &view, extents, shape.len(), false);
        }
        Some(view)
    }
}
