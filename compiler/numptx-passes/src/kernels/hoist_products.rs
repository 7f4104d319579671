//! **Does**: computes what the work items of a nest sum up of products of two matrices' elements before the nest, as one product of matrices.
//! **Requires**: phase Placed.
//! **Ensures**: where a nest has about as many work items as that product has elements, and the sums are long, it loads them. A condition when running tells. A
//! library may compute the product.
//! **Keeps**: every value but for the order in which a product's sums are rounded, which is left open where the program writes `@`; sums of loops
//! over elements keep theirs. Nothing is read outside of the tables, and nothing is written before.
//! **Example**: `nest i, j { s = for 0, n, 1, 0.0 (k, c) { a = load 1 at k, i; b = load 1 at k, j; p = product a, b; t = add c, p; yield t };
//! store s to 0 at i, j }` becomes
//! `if long { p = reduce<3, 1, [add]> … { product }; nest i, j { s = load 2 at i, j; store s to 0 at i, j } } else { the nest as it was }`.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{Function, Module, Nest, Op, OpKind, Order, Reduce, Region, Type, ValueId, typing};
use numptx_ir::scalar::{Block, BodyBuilder, Code, Constant, Reducer, ScalarOp, Stmt, StmtKind, Val};
use numptx_source::InternalError;

use crate::Pass;
use crate::analysis::traverse::rewrite_ops;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::schedule::cost::{PRODUCT_ELEMENTS, PRODUCT_MULTIPLICATIONS};

/// See the file's header.
pub const HOIST_PRODUCTS: Pass = Pass::optional(
    "hoist-products",
    "compute sums of products in the work items of a nest as products of matrices",
    hoist_products,
);

/// Limit: sums in a nest that are looked at.
const MOST: usize = 4;

fn hoist_products(module: &mut Module) -> Result<(), InternalError> {
    module.functions.iter_mut().for_each(|function| rewrite_ops(function, hoisted));
    Ok(())
}

/// A sum of products in a nest's work items: the loop's result, its length, what it multiplies, and the products' dtype.
struct Sum {
    result: Val,
    length: Length,
    factors: [Factor; 2],
    dtype: DType,
}

/// How many products are summed up.
#[derive(Clone, Copy)]
enum Length {
    Scalar(usize),
    Number(i64),
}

/// A factor: its table, the axis that is summed up, and the index along the other one.
#[derive(Clone, Copy)]
struct Factor {
    table: usize,
    summed: usize,
    index: Val,
}

fn hoisted(function: &mut Function, op: Op, ops: &mut Vec<Op>) {
    let OpKind::Nest(nest) = &op.kind else { return ops.push(op) };
    let sums = if nest.rank == 0 || nest.code.is_cooperative() { Vec::new() } else { Search::sums(&nest.code) };
    let n_tables = nest.code.n_tables();
    let is_matrix =
        |factor: &Factor| function.array(op.operands[nest.rank + factor.table]).is_some_and(|a| a.rank == 2);
    let sums: Vec<Sum> = sums.into_iter().filter(|sum| sum.factors.iter().all(is_matrix)).take(MOST).collect();
    if sums.is_empty() {
        return ops.push(op);
    }
    let (rank, mut code) = (nest.rank, nest.code.clone());
    let (tables, scalars) = op.operands[rank..].split_at(n_tables);
    let (tables, scalars) = (tables.to_vec(), scalars.to_vec());
    let mut host = HostProgram::new(function, op.span);
    let condition = worth(&mut host, &sums, (&op.operands[..rank], &tables, &scalars));
    let before = std::mem::take(&mut host.ops);
    let mut products = Vec::new();
    for (n, sum) in sums.iter().enumerate() {
        products.push(product(&mut host, sum, &tables, &scalars));
        load_instead(&mut code, sum, (n_tables + n) as u32);
    }
    let mut then = std::mem::take(&mut host.ops);
    let operands = [&op.operands[..rank], &tables, &products, &scalars].concat();
    let kind = OpKind::Nest(Box::new(Nest { rank, code }));
    then.push(Op { kind, operands, ..op.clone() });
    ops.extend(before);
    let end =
        || Op { kind: OpKind::Yield, operands: Vec::new(), results: Vec::new(), regions: Vec::new(), span: op.span };
    let region = |mut ops: Vec<Op>| {
        ops.push(end());
        Region { parameters: Vec::new(), ops }
    };
    let span = op.span;
    let regions = vec![region(then), region(vec![op.clone()])];
    ops.push(Op { kind: OpKind::If, operands: vec![condition], results: Vec::new(), regions, span });
}

/// Whether the products fit their tables, and are worth it.
fn worth(
    host: &mut HostProgram,
    sums: &[Sum],
    (extents, tables, scalars): (&[ValueId], &[ValueId], &[ValueId]),
) -> ValueId {
    let mut work_items = host.number(1);
    for extent in extents {
        work_items = host.product(work_items, *extent);
    }
    let most = host.multiple(work_items, PRODUCT_ELEMENTS);
    let many = host.number(PRODUCT_MULTIPLICATIONS);
    let mut all: Option<ValueId> = None;
    for sum in sums {
        let length = length_of(host, sum.length, scalars);
        let [rows, columns] =
            sum.factors.map(|f| host.scalar(OpKind::Dim(1 - f.summed), vec![tables[f.table]], DType::I64));
        let elements = host.product(rows, columns);
        let work = host.product(elements, length);
        let mut conditions = vec![(ScalarOp::Le, elements, most), (ScalarOp::Ge, work, many)];
        for factor in sum.factors {
            let there = host.scalar(OpKind::Dim(factor.summed), vec![tables[factor.table]], DType::I64);
            conditions.push((ScalarOp::Le, length, there));
        }
        for (op, a, b) in conditions {
            let holds = host.scalar(OpKind::Scalar(op), vec![a, b], DType::Bool);
            all = Some(match all {
                Some(all) => host.scalar(OpKind::Scalar(ScalarOp::BitAnd), vec![all, holds], DType::Bool),
                None => holds,
            });
        }
    }
    all.unwrap_or(work_items)
}

fn length_of(host: &mut HostProgram, length: Length, scalars: &[ValueId]) -> ValueId {
    let zero = host.number(0);
    let given = match length {
        Length::Number(n) => host.number(n),
        Length::Scalar(n) => scalars[n],
    };
    host.scalar(OpKind::Scalar(ScalarOp::Max), vec![given, zero], DType::I64)
}

/// The product of all of both matrices: by the index of the first factor, and that of the second.
fn product(host: &mut HostProgram, sum: &Sum, tables: &[ValueId], scalars: &[ValueId]) -> ValueId {
    let length = length_of(host, sum.length, scalars);
    let (zero, one) = (host.number(0), host.number(1));
    let [rows, columns] =
        sum.factors.map(|f| host.scalar(OpKind::Dim(1 - f.summed), vec![tables[f.table]], DType::I64));
    let extents = [rows, columns, length];
    let mut inputs = Vec::new();
    for (n, factor) in sum.factors.into_iter().enumerate() {
        let axis = factor.summed;
        let part = view(host, OpKind::Slice { axis }, vec![tables[factor.table], zero, length, one]);
        let permutation = vec![1 - axis, axis];
        let turned = if axis == 1 { part } else { view(host, OpKind::Permute { permutation }, vec![part]) };
        let raised = view(host, OpKind::NewAxis { axis: 1 - n }, vec![turned]);
        inputs.push(view(host, OpKind::Broadcast, [&[raised], &extents[..]].concat()));
    }
    let mut body = BodyBuilder::new();
    let factors = [0, 1].map(|n| body.input(n, sum.dtype));
    let product = body.op(ScalarOp::Product, &factors);
    let body = body.finish(vec![product]);
    let reduce = Reduce { rank: 3, n_reduced: 1, body, reducers: vec![Reducer::Add], epilogue: None, order: Order::C };
    view(host, OpKind::Reduce(Box::new(reduce)), [&extents[..], &inputs].concat())
}

/// An op with one result, whose type follows from its operands.
fn view(host: &mut HostProgram, kind: OpKind, operands: Vec<ValueId>) -> ValueId {
    let types: Vec<Type> = operands.iter().map(|v| host.ty(*v)).collect();
    let types = typing::result_types(&kind, &types).ok().flatten().unwrap_or_default();
    let result = host.add_value(types.first().copied().unwrap_or(Type::Scalar(DType::Bool)));
    host.push(kind, operands, vec![result]);
    result
}

/// The loop gives way to the element of a table, in the dtype in which it added up.
fn load_instead(code: &mut Code, sum: &Sum, table: u32) {
    let wanted = code.dtype(sum.result);
    let loaded = if wanted == sum.dtype { sum.result } else { Val(code.dtypes.len() as u32) };
    let stmt = |kind, operands, result| Stmt { kind, operands, results: vec![result], blocks: Vec::new() };
    let mut stmts = vec![stmt(StmtKind::Load(table), sum.factors.map(|factor| factor.index).to_vec(), loaded)];
    if loaded != sum.result {
        code.dtypes.push(sum.dtype);
        stmts.push(stmt(StmtKind::Op(ScalarOp::Cast), vec![loaded], sum.result));
    }
    replace(&mut code.block, sum.result, &stmts);
}

/// Puts statements in the place of the one with a result.
fn replace(block: &mut Block, result: Val, by: &[Stmt]) {
    for mut stmt in std::mem::take(&mut block.stmts) {
        if stmt.results == [result] {
            block.stmts.extend_from_slice(by);
        } else {
            stmt.blocks.iter_mut().for_each(|nested| replace(nested, result, by));
            block.stmts.push(stmt);
        }
    }
}

/// Looks for sums of products outside of loops.
#[derive(Default)]
struct Search {
    constants: HashMap<Val, Constant>,
    inputs: HashMap<Val, usize>,
    found: Vec<Sum>,
}

impl Search {
    fn sums(code: &Code) -> Vec<Sum> {
        let mut search = Search::default();
        search.block(code, &code.block);
        search.found
    }

    fn block(&mut self, code: &Code, block: &Block) {
        for stmt in &block.stmts {
            match (stmt.kind, stmt.results.as_slice()) {
                (StmtKind::Constant(constant), [result]) => _ = self.constants.insert(*result, constant),
                (StmtKind::Input(n), [result]) => _ = self.inputs.insert(*result, n as usize),
                (StmtKind::If, _) => stmt.blocks.iter().for_each(|nested| self.block(code, nested)),
                (StmtKind::For, [result]) => self.found.extend(self.sum(code, stmt, *result)),
                _ => {}
            }
        }
    }

    fn sum(&self, code: &Code, stmt: &Stmt, result: Val) -> Option<Sum> {
        let ([lower, upper, by, initial], [block]) = (stmt.operands.as_slice(), stmt.blocks.as_slice()) else {
            return None;
        };
        let number = |val: &Val| self.constants.get(val).and_then(|constant| constant.as_int());
        let is_zero = matches!(self.constants.get(initial), Some(Constant::Float(0.0) | Constant::Complex(0.0, 0.0)));
        if number(lower) != Some(0) || number(by) != Some(1) || !is_zero {
            return None;
        }
        let length = match (number(upper), self.inputs.get(upper)) {
            (Some(n), _) => Length::Number(n),
            (None, Some(n)) => Length::Scalar(*n),
            (None, None) => return None,
        };
        let [index, carried] = *block.parameters.as_slice() else { return None };
        let result_of = |stmt: &Stmt| stmt.results.first().copied();
        let (factors, added) = match block.stmts.as_slice() {
            [a, b, product, sum] if is_sum(sum, carried, result_of(product)?, block) => ([a, b], product),
            // Narrow floats are added up in wide ones.
            [a, b, product, cast, sum]
                if cast.kind == StmtKind::Op(ScalarOp::Cast)
                    && cast.operands == product.results
                    && is_sum(sum, carried, result_of(cast)?, block) =>
            {
                ([a, b], product)
            }
            _ => return None,
        };
        let [a, b] = factors.map(|load| load.results.first().copied());
        if !is(added, ScalarOp::Product, [a?, b?]) {
            return None;
        }
        let dtype = code.dtype(result_of(added)?);
        let factors = [factor(code, factors[0], index)?, factor(code, factors[1], index)?];
        (factors[0].index != factors[1].index).then_some(Sum { result, length, factors, dtype })
    }
}

/// Whether a statement is an operation on two values, in either order.
fn is(stmt: &Stmt, op: ScalarOp, [x, y]: [Val; 2]) -> bool {
    stmt.kind == StmtKind::Op(op) && (stmt.operands == [x, y] || stmt.operands == [y, x])
}

/// Whether a block yields what it carries plus a value.
fn is_sum(stmt: &Stmt, carried: Val, value: Val, block: &Block) -> bool {
    is(stmt, ScalarOp::Add, [carried, value]) && block.yields == stmt.results
}

/// A load of a table that nothing is stored to, of which one index is the sum's and the other one is not.
fn factor(code: &Code, stmt: &Stmt, summed: Val) -> Option<Factor> {
    let StmtKind::Load(table) = stmt.kind else { return None };
    let [first, second] = *stmt.operands.as_slice() else { return None };
    let table = table as usize;
    if code.stores(table) {
        return None;
    }
    match (first == summed, second == summed) {
        (true, false) => Some(Factor { table, summed: 0, index: second }),
        (false, true) => Some(Factor { table, summed: 1, index: first }),
        _ => None,
    }
}
