//! A thin layer over LLVM's builder: types of dtypes, arithmetic without names, intrinsics. Emits where the builder stands.
//!
//! Integers never get `nsw` or `nuw`: they wrap. Floats get fast-math flags only as the options say.

use inkwell::builder::Builder;
use inkwell::context::ContextRef;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::Module;
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum, FloatType, IntType};
use inkwell::values::IntValue;
use inkwell::values::{BasicMetadataValueEnum, BasicValue, BasicValueEnum, FastMathFlags, FloatValue, FunctionValue};
use inkwell::{FloatPredicate, IntPredicate};
use numptx_ir::DType;
use numptx_ir::dtype::Kind;
use numptx_ir::kernel::Kernel;

use crate::error::{Emit, bug};
use crate::value::Scalar;
use crate::{CodegenOptions, Contraction, MathKind};

/// What code is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The C library's functions are there.
    Host,
    /// Functions of a device math library are there, if any.
    Device(Option<MathKind>),
}

/// Emits into one module through one builder.
pub(crate) struct Emitter<'ctx, 'a> {
    pub context: ContextRef<'ctx>,
    pub module: &'a Module<'ctx>,
    pub builder: &'a Builder<'ctx>,
    pub side: Side,
    pub options: CodegenOptions,
}

impl<'ctx, 'a> Emitter<'ctx, 'a> {
    /// Emits where `builder` stands.
    pub fn new(module: &'a Module<'ctx>, builder: &'a Builder<'ctx>, side: Side, options: CodegenOptions) -> Self {
        Emitter { context: module.get_context(), module, builder, side, options }
    }

    /// Whether a map has a variant for contiguous operands: where it asks for its place in several axes there is none.
    pub fn may_be_flat(&self, kernel: &Kernel) -> bool {
        !self.options.strided_only && (kernel.rank <= 1 || !kernel.is_indexed())
    }

    /// The register type of bool and integer dtypes.
    pub fn int_type(&self, dtype: DType) -> IntType<'ctx> {
        match (dtype, dtype.itemsize()) {
            (DType::Bool, _) => self.context.bool_type(),
            (_, 1) => self.context.i8_type(),
            (_, 2) => self.context.i16_type(),
            (_, 4) => self.context.i32_type(),
            _ => self.context.i64_type(),
        }
    }

    /// The type of a float dtype, or of the parts of a complex one.
    pub fn float_type(&self, dtype: DType) -> FloatType<'ctx> {
        if matches!(dtype.real(), DType::F16 | DType::F32) { self.context.f32_type() } else { self.context.f64_type() }
    }

    /// The integers that the variants compute indices with which are for launches of less than 2³¹ work items and elements apart.
    pub fn narrow_index(&self) -> IntType<'ctx> {
        if self.options.narrow { self.context.i8_type() } else { self.context.i32_type() }
    }

    /// What one component of an element is in memory: complex ones have two.
    pub fn memory_type(&self, dtype: DType) -> BasicTypeEnum<'ctx> {
        match dtype.kind() {
            Kind::Bool => self.context.i8_type().into(),
            Kind::Signed | Kind::Unsigned => self.int_type(dtype).into(),
            Kind::Float if dtype == DType::F16 => self.context.i16_type().into(),
            Kind::Float | Kind::Complex => self.float_type(dtype).into(),
        }
    }

    /// Bytes of one component of an element.
    pub fn memory_bytes(&self, dtype: DType) -> u32 {
        dtype.real().itemsize() as u32
    }

    /// An `i64` constant.
    pub fn i64(&self, value: i64) -> IntValue<'ctx> {
        self.context.i64_type().const_int(value as u64, true)
    }

    /// A constant of the same integer type as `like`.
    pub fn int_like(&self, like: IntValue<'ctx>, value: i64) -> IntValue<'ctx> {
        like.get_type().const_int(value as u64, true)
    }

    /// A constant of the same float type as `like`.
    pub fn float_like(&self, like: FloatValue<'ctx>, value: f64) -> FloatValue<'ctx> {
        like.get_type().const_float(value)
    }

    pub fn add(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_int_add(a, b, "")?)
    }

    pub fn sub(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_int_sub(a, b, "")?)
    }

    pub fn mul(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_int_mul(a, b, "")?)
    }

    pub fn and(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_and(a, b, "")?)
    }

    pub fn or(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_or(a, b, "")?)
    }

    pub fn xor(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_xor(a, b, "")?)
    }

    pub fn not(&self, a: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_not(a, "")?)
    }

    pub fn icmp(&self, predicate: IntPredicate, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_int_compare(predicate, a, b, "")?)
    }

    /// Compares with a constant.
    pub fn icmp_with(&self, predicate: IntPredicate, a: IntValue<'ctx>, b: i64) -> Emit<IntValue<'ctx>> {
        self.icmp(predicate, a, self.int_like(a, b))
    }

    /// Division of unsigned numbers; the divisor is not 0.
    pub fn udiv(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_int_unsigned_div(a, b, "")?)
    }

    /// The smaller of two signed numbers.
    pub fn smin(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let less = self.icmp(IntPredicate::SLT, a, b)?;
        self.select(less, a, b)
    }

    /// Widens (with sign) or narrows.
    pub fn resize_signed(&self, a: IntValue<'ctx>, ty: IntType<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_int_cast_sign_flag(a, ty, true, "")?)
    }

    /// Widens (with zeros) or narrows.
    pub fn resize_unsigned(&self, a: IntValue<'ctx>, ty: IntType<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_int_cast_sign_flag(a, ty, false, "")?)
    }

    /// `if condition { a } else { b }`, without a branch.
    pub fn select<T>(&self, condition: IntValue<'ctx>, a: T, b: T) -> Emit<T>
    where
        T: BasicValue<'ctx> + TryFrom<BasicValueEnum<'ctx>>,
    {
        let value = self.builder.build_select(condition, a, b, "")?;
        T::try_from(value).map_err(|_| bug("a select changed its type"))
    }

    /// `condition ? a : b` of two scalars of one dtype.
    pub fn select_scalar(&self, condition: IntValue<'ctx>, a: Scalar<'ctx>, b: Scalar<'ctx>) -> Emit<Scalar<'ctx>> {
        Ok(match (a, b) {
            (Scalar::Int(a), Scalar::Int(b)) => Scalar::Int(self.select(condition, a, b)?),
            (Scalar::Float(a), Scalar::Float(b)) => Scalar::Float(self.select(condition, a, b)?),
            (Scalar::Complex(a, b), Scalar::Complex(c, d)) => {
                Scalar::Complex(self.select(condition, a, c)?, self.select(condition, b, d)?)
            }
            _ => return Err(bug("a select is of two scalars of one dtype")),
        })
    }

    pub fn fadd(&self, a: FloatValue<'ctx>, b: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        self.flagged(self.builder.build_float_add(a, b, "")?)
    }

    pub fn fsub(&self, a: FloatValue<'ctx>, b: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        self.flagged(self.builder.build_float_sub(a, b, "")?)
    }

    pub fn fmul(&self, a: FloatValue<'ctx>, b: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        self.flagged(self.builder.build_float_mul(a, b, "")?)
    }

    /// A product that the sum which takes it may fuse with itself; see [`Contraction`].
    pub fn product(&self, a: FloatValue<'ctx>, b: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        self.fused(self.fmul(a, b)?)
    }

    /// A sum that may be fused with a [`Emitter::product`] that it takes.
    pub fn sum_of_product(&self, a: FloatValue<'ctx>, b: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        self.fused(self.fadd(a, b)?)
    }

    fn fused(&self, value: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        match self.options.contraction {
            Contraction::Never => Ok(value),
            Contraction::Products | Contraction::Anywhere => self.with_more_flags(value, FastMathFlags::AllowContract),
        }
    }

    pub fn fdiv(&self, a: FloatValue<'ctx>, b: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        self.flagged(self.builder.build_float_div(a, b, "")?)
    }

    pub fn fneg(&self, a: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        Ok(self.builder.build_float_neg(a, "")?)
    }

    pub fn fcmp(&self, predicate: FloatPredicate, a: FloatValue<'ctx>, b: FloatValue<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_float_compare(predicate, a, b, "")?)
    }

    /// Compares with a constant.
    pub fn fcmp_with(&self, predicate: FloatPredicate, a: FloatValue<'ctx>, b: f64) -> Emit<IntValue<'ctx>> {
        self.fcmp(predicate, a, self.float_like(a, b))
    }

    /// Whether a float is nan.
    pub fn is_nan(&self, a: FloatValue<'ctx>) -> Emit<IntValue<'ctx>> {
        self.fcmp(FloatPredicate::UNO, a, a)
    }

    /// The integer of a float's bits.
    pub fn float_bits(&self, a: FloatValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let is_single = a.get_type() == self.context.f32_type();
        let ty = if is_single { self.context.i32_type() } else { self.context.i64_type() };
        Ok(self.builder.build_bit_cast(a, ty, "")?.into_int_value())
    }

    /// The float of an integer's bits.
    pub fn bits_float(&self, a: IntValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        let is_single = a.get_type().get_bit_width() == 32;
        let ty = if is_single { self.context.f32_type() } else { self.context.f64_type() };
        Ok(self.builder.build_bit_cast(a, ty, "")?.into_float_value())
    }

    /// Calls an intrinsic; `overloads` are the types in its name.
    pub fn intrinsic(
        &self,
        name: &str,
        overloads: &[BasicTypeEnum<'ctx>],
        arguments: &[BasicMetadataValueEnum<'ctx>],
    ) -> Emit<BasicValueEnum<'ctx>> {
        let declaration = self.intrinsic_declaration(name, overloads)?;
        let call = self.builder.build_call(declaration, arguments, "")?;
        call.try_as_basic_value().basic().ok_or_else(|| bug(format!("`{name}` gives no value")))
    }

    /// Declares an intrinsic.
    pub fn intrinsic_declaration(&self, name: &str, overloads: &[BasicTypeEnum<'ctx>]) -> Emit<FunctionValue<'ctx>> {
        let declaration = Intrinsic::find(name).and_then(|i| i.get_declaration(self.module, overloads));
        declaration.ok_or_else(|| bug(format!("LLVM has no intrinsic `{name}`")))
    }

    /// Calls an intrinsic of floats of one type.
    pub fn float_intrinsic(&self, name: &str, arguments: &[FloatValue<'ctx>]) -> Emit<FloatValue<'ctx>> {
        let ty = arguments.first().ok_or_else(|| bug("an intrinsic without arguments"))?.get_type();
        let arguments: Vec<BasicMetadataValueEnum> = arguments.iter().map(|a| (*a).into()).collect();
        Ok(self.intrinsic(name, &[ty.into()], &arguments)?.into_float_value())
    }

    /// Calls a pure function of the module by name, declaring it first: floats of one type in, the same out.
    pub fn call_pure(&self, name: &str, arguments: &[FloatValue<'ctx>]) -> Emit<FloatValue<'ctx>> {
        let ty = arguments.first().ok_or_else(|| bug("a function without arguments"))?.get_type();
        let function = match self.module.get_function(name) {
            Some(function) => function,
            None => {
                let parameters: Vec<BasicMetadataTypeEnum> = arguments.iter().map(|a| a.get_type().into()).collect();
                let function = self.module.add_function(name, ty.fn_type(&parameters, false), None);
                self.mark_pure(function)?;
                function
            }
        };
        let arguments: Vec<BasicMetadataValueEnum> = arguments.iter().map(|a| (*a).into()).collect();
        let call = self.builder.build_call(function, &arguments, "")?;
        let value = call.try_as_basic_value().basic().ok_or_else(|| bug(format!("`{name}` gives no value")))?;
        Ok(value.into_float_value())
    }

    /// The flags that the options allow; a folded constant is no instruction and has none.
    fn flagged(&self, value: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        let mut flags = FastMathFlags::empty();
        if self.options.contraction == Contraction::Anywhere {
            flags |= FastMathFlags::AllowContract;
        }
        if self.options.fast_math {
            flags |= FastMathFlags::AllowReassoc | FastMathFlags::AllowReciprocal | FastMathFlags::NoSignedZeros;
            flags |= FastMathFlags::ApproxFunc;
        }
        self.with_flags(value, flags)
    }

    /// Adds fast-math flags to those that the options allow.
    pub fn with_more_flags(&self, value: FloatValue<'ctx>, flags: FastMathFlags) -> Emit<FloatValue<'ctx>> {
        let so_far = value.as_instruction().and_then(|instruction| instruction.get_fast_math_flags().ok());
        self.with_flags(value, flags | so_far.unwrap_or(FastMathFlags::empty()))
    }

    /// Sets fast-math flags.
    pub fn with_flags(&self, value: FloatValue<'ctx>, flags: FastMathFlags) -> Emit<FloatValue<'ctx>> {
        if let (false, Some(instruction)) = (flags.is_empty(), value.as_instruction()) {
            instruction.set_fast_math_flags(flags).map_err(|e| bug(format!("fast-math flags: {e}")))?;
        }
        Ok(value)
    }
}
