//! Phases that count or move tiles of points: tiles in random order, which act as points do, and each tile's points in C order.

use super::super::{Node, Phase, Tiles};
use super::Run;
use crate::array::TILE;
use crate::scalar::Constant;

impl Run<'_> {
    /// All tiles of a kernel's points, which are given in any order.
    pub(super) fn tiles(&mut self, tiles: Tiles, mut points: Vec<Vec<i64>>) -> Result<(), String> {
        let [Node::Phase(phase)] = self.kernel.body.as_slice() else { return Ok(()) };
        points.sort();
        let mut chunks: Vec<(i64, &[Vec<i64>])> = (0..).zip(points.chunks(TILE as usize)).collect();
        self.shuffle(&mut chunks);
        chunks.into_iter().try_for_each(|(tile, points)| self.tile(phase, tiles, tile, points))
    }

    fn tile(&mut self, phase: &Phase, tiles: Tiles, tile: i64, points: &[Vec<i64>]) -> Result<(), String> {
        let operand = self.kernel.tables[tiles.table()].operand;
        let first = &points[0];
        let mut place = match tiles {
            Tiles::Move(_) if tile > 0 => {
                let at = self.operands[operand].place(&[tile - 1])?;
                self.read_at(operand, at, first)?.as_int().unwrap_or(0)
            }
            _ => 0,
        };
        for point in points {
            let inputs = self.inputs(phase, point, point)?;
            let outputs = self.evaluate(phase, &inputs, point, point)?;
            if outputs.last() != Some(&Constant::Bool(true)) {
                continue;
            }
            for scatter in &phase.scatters {
                let operand = self.kernel.tables[scatter.table].operand;
                self.scatter_apart(operand, &[place], point, outputs[scatter.output])?;
            }
            place += 1;
        }
        let at = self.operands[operand].place(&[tile])?;
        match tiles {
            Tiles::Count(_) => self.write_at(operand, at, first, Constant::Int(place)),
            Tiles::Move(_) if self.read_at(operand, at, first)?.as_int() != Some(place) => {
                Err(format!("the counts up to tile {tile} are not those of the condition"))
            }
            Tiles::Move(_) => Ok(()),
        }
    }
}
