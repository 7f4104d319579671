//! Loops over elements as structured scalar programs: what `form-nests` makes nests of.
//!
//! In: a `for` of the placed phase whose body reads and writes single elements, and small computations over rows. Out: its program
//! ([`numptx_ir::scalar::Code`]), what it accesses, for the dependence analysis, and the checks that have to hold for it to run without them.
//! Decides nothing.

mod aligned;
mod arithmetic;
mod assumed;
mod axes;
mod backwards;
mod bounds_as_written;
mod broadcasts;
mod carried;
mod cells;
mod clamped;
mod computations;
mod conditions;
mod control;
mod counters;
mod decisions;
mod distances;
mod elements;
mod equal_extents;
mod exchanged;
mod expand;
mod faults;
mod forward;
mod front_steps;
mod fronts;
mod guards;
mod handed_on;
mod histograms;
mod hoist;
mod look_ahead;
mod once;
mod one_launch;
mod parts;
mod place;
mod reads_ahead;
mod recurrences;
mod reductions;
mod scope;
mod scratch;
mod searches;
mod slices;
mod snapshots;
mod team;
mod temporaries;
mod totals;
mod translate;
mod updates;
mod versions;
mod views;
mod wavefronts;

pub use assumed::Assumed;
pub use axes::count_of_loop;
pub use bounds_as_written::take_bounds_as_written;
pub use broadcasts::{Along, Extents, check_broadcasts};
pub use cells::SeenMemory;
pub use equal_extents::name_equal_extents;
pub use expand::{Originals, Reductions, expand};
pub use faults::Checks;
pub use guards::HostProgram;
pub use hoist::{after_checks, hoist, hoist_inside, hoist_scalars};
pub use look_ahead::LookingAhead;
pub use one_launch::{has_wavefront, is_slow};
pub use place::{Plan, has_nest, is_parallel, yielding};
pub use scope::{Sums, constants_among, constants_of, sums_among, sums_of};
pub use snapshots::are_in_order;
pub use team::threads_for_sums;
pub use temporaries::{Bounds, Temporaries, changing_extents, keep_fresh};
pub use translate::{Axis, Program, Refusal, Refused, Surroundings, Translation, translate};
pub use updates::Updates;
pub use versions::Version;
