//! Counting and moving the points of tiles at which a condition holds: points in C order.

use super::memory::size;
use super::scatter::check_hazards;
use super::{Interpreter, Outcome, View, for_each_point, invalid};
use crate::array::{Compact, TILE, ValueId};
use crate::scalar::Constant;

impl Interpreter<'_> {
    pub(super) fn compact(&mut self, operands: &[ValueId], compact: &Compact) -> Outcome<()> {
        let mut operands = operands.to_vec();
        let fixed: Vec<ValueId> = operands.drain(compact.rank..compact.rank + compact.n_fixed()).collect();
        let (shape, inputs) = self.space(&operands, compact.rank, &compact.body)?;
        let n_points = size(&shape).unwrap_or(usize::MAX);
        self.spend(n_points)?;
        let fixed = fixed.iter().map(|v| self.array(*v)).collect::<Outcome<Vec<View>>>()?;
        let (written, read) = fixed.split_at(compact.n_written());
        written.iter().try_for_each(|view| check_hazards(&inputs, 0, view))?;
        let counts = read.first().unwrap_or(&written[0]);
        let n_tiles = (n_points as i64 + TILE - 1) / TILE;
        if counts.shape != [n_tiles] {
            return invalid(format!("{:?} counts of {n_tiles} tiles", counts.shape));
        }
        let (mut number, mut total, mut in_tile) = (0, 0, 0);
        for_each_point(&shape, |point| {
            let (tile, place) = (number / TILE, number % TILE);
            number += 1;
            in_tile = if place == 0 { 0 } else { in_tile };
            let outputs = inputs.evaluate(&compact.body, point)?;
            let holds = outputs.last() == Some(&Constant::Bool(true));
            in_tile += i64::from(holds);
            total += i64::from(holds);
            if compact.n_destinations == 0 {
                return counts.write(counts.at(&[tile]), Constant::Int(in_tile));
            }
            let is_last = place + 1 == TILE || number == n_points as i64;
            if is_last && counts.read(counts.at(&[tile]))? != Constant::Int(total) {
                return invalid(format!("the counts up to tile {tile} are not those of the condition"));
            }
            if !holds {
                return Ok(());
            }
            written.iter().zip(&outputs).try_for_each(|(destination, output)| {
                let place = destination.place(&[total - 1]).map_err(super::Failure::Invalid)?;
                destination.write(place, *output)
            })
        })
    }
}
