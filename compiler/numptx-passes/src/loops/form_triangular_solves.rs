//! **Does**: makes `solve` statements of loops in cooperative programs whose iterations each store one element, computed of a sum over those that the
//! iterations before stored: the solution of triangular systems. A launch then runs tiles of such rows.
//! **Requires**: phase Placed; a loop by 1 or -1 that carries nothing, with one `reduce` over all iterations before, as far as that is a matter of
//! its indices; where an extent is the smaller or the larger of two, the program itself asks which.
//! **Ensures**: each such loop is a `solve`; it stays beside it for launches in which the sum is over other elements.
//! **Keeps**: every value but for the order in which a `reduce` combines, which was nobody's promise. What is stored to is met by nothing else in
//! the loop.
//! **Example**: `for i { s = reduce i (j) { L[i, j] * x[j] }; parallel { x[i] = b[i] - s } }` becomes
//! `solve add n to x at (k) { k } factor (k, j) { L[k, j] } term (f, v) { f * v } value (k, s) { b[k] - s }`.

mod built;
mod rows;

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{Function, Module, Nest, Op, OpKind, Remark, RemarkKind, Type, ValueId};
use numptx_ir::scalar::{Block, Code, CodeBuilder, Constant, Footprints, ScalarOp, Stmt, StmtKind, Val};
use numptx_source::{InternalError, Span};

use crate::Pass;
use crate::analysis::traverse::rewrite_ops;
use crate::loops::schedule::cost::{SOLVE_ELEMENTS, SOLVE_THREADS};
use built::built;
use rows::Rows;

/// Limit: no memory has elements for more rows.
const ROWS: i64 = 1 << 28;

/// See the file's header.
pub const FORM_TRIANGULAR_SOLVES: Pass =
    Pass::optional("form-triangular-solves", "solve triangular systems by tiles of rows", form_triangular_solves);

fn form_triangular_solves(module: &mut Module) -> Result<(), InternalError> {
    module.functions.iter_mut().for_each(|function| rewrite_ops(function, solved));
    Ok(())
}

fn solved(function: &mut Function, mut op: Op, ops: &mut Vec<Op>) {
    let span = op.span;
    if let OpKind::Nest(nest) = &mut op.kind
        && nest.code.is_cooperative()
        && let Some((code, is_outermost)) = with_solves(&nest.code)
    {
        nest.code = code;
        if is_outermost {
            let Nest { rank, .. } = **nest;
            ops.extend(wider(function, &mut op.operands[..rank], span));
            function.remark(Remark { span, kind: RemarkKind::Tiled });
        }
    }
    ops.push(op);
}

/// Makes a launch's extent that of the sums of a tile.
fn wider(function: &mut Function, extents: &mut [ValueId], span: Span) -> Vec<Op> {
    let mut ops = Vec::new();
    let mut define = |kind: OpKind, operands: Vec<ValueId>| {
        let result = function.add_value(Type::Scalar(DType::I64));
        ops.push(Op { kind, operands, results: vec![result], regions: Vec::new(), span });
        result
    };
    for extent in extents {
        let mut number = |n: i64| define(OpKind::Constant(Constant::Int(n)), Vec::new());
        let [most, elements, threads] = [ROWS, SOLVE_ELEMENTS, SOLVE_THREADS].map(&mut number);
        let rows = define(OpKind::Scalar(ScalarOp::Min), vec![*extent, most]);
        let more = define(OpKind::Scalar(ScalarOp::FloorDiv), vec![rows, elements]);
        let of_row = define(OpKind::Scalar(ScalarOp::Max), vec![more, threads]);
        *extent = define(OpKind::Scalar(ScalarOp::Mul), vec![rows, of_row]);
    }
    ops
}

/// The program with triangular solves, and whether one of them is a statement of its own; `None` if it has no such loop.
fn with_solves(code: &Code) -> Option<(Code, bool)> {
    let mut made = HashMap::new();
    code.block.for_each_stmt(&mut |stmt| made.extend(stmt.results.iter().map(|val| (*val, stmt))));
    let (sums, builder) = (Footprints::of(code), CodeBuilder::within(code));
    let mut forming = Forming { sums: &sums, made: &made, builder, n_formed: 0 };
    let (block, is_outermost) = forming.block(&code.block);
    let Forming { builder, n_formed, .. } = forming;
    let code = Code { dtypes: builder.finish().dtypes, block };
    (n_formed > 0).then_some((code, is_outermost))
}

struct Forming<'t> {
    sums: &'t Footprints<'t>,
    made: &'t HashMap<Val, &'t Stmt>,
    builder: CodeBuilder,
    /// Loops that were found.
    n_formed: usize,
}

impl<'t> Forming<'t> {
    /// A block, and whether a loop that is a statement of it became a triangular solve.
    fn block(&mut self, block: &'t Block) -> (Block, bool) {
        let (mut stmts, mut is_formed) = (Vec::with_capacity(block.stmts.len()), false);
        for stmt in &block.stmts {
            if !matches!(stmt.kind, StmtKind::For | StmtKind::While | StmtKind::If) {
                stmts.push(stmt.clone());
            } else if let Some(formed) = self.formed(stmt) {
                is_formed = true;
                stmts.extend(formed);
            } else {
                let blocks = stmt.blocks.iter().map(|block| self.block(block).0).collect();
                stmts.push(Stmt { blocks, ..stmt.clone() });
            }
        }
        (Block { stmts, ..block.clone() }, is_formed)
    }

    fn formed(&mut self, stmt: &'t Stmt) -> Option<Vec<Stmt>> {
        let mut builder = self.builder.clone();
        let rows = Rows::of(stmt, self.sums, self.made, &builder)?;
        let stmts = built(stmt, &rows, self.made, &mut builder)?;
        self.builder = builder;
        self.n_formed += 1;
        Some(stmts)
    }
}
