//! Watches a compilation: keeps the stages that `--emit` asks for and the times that `--time-passes` asks for, and tells how far
//! the passes are.

use numptx_driver::ir::array::Module;
use numptx_driver::{Observer, PassObserver, Stage};
use numptx_source::Progress;

use crate::arguments::Emit;

/// What was asked for and what was seen.
#[derive(Debug, Default)]
pub struct Watch {
    /// The stages to keep.
    emit: Vec<Emit>,
    /// Texts of the stages that were reached, in the order of `emit`.
    dumps: Vec<Option<String>>,
    times: Vec<(String, f64)>,
    progress: Progress,
}

/// A stage's text.
#[derive(Debug)]
pub struct Dump {
    /// Its stage and pass, as they are written behind `--emit`.
    pub name: String,
    /// The extension of its file.
    pub extension: &'static str,
    /// `None`: the stage was not reached.
    pub text: Option<String>,
}

impl Watch {
    /// Keeps these stages.
    pub fn new(emit: &[Emit]) -> Watch {
        Watch { emit: emit.to_vec(), dumps: vec![None; emit.len()], ..Watch::default() }
    }

    /// From now on tells of the stages that begin before code is made.
    pub fn tells(&mut self, progress: Progress) {
        progress.begins("front", "");
        self.progress = progress;
    }

    /// The stages that were asked for.
    pub fn dumps(self) -> Vec<Dump> {
        let named = self.emit.into_iter().zip(self.dumps);
        let dump = |(emit, text): (Emit, Option<String>)| Dump {
            name: emit.pass.map_or(emit.stage.name().to_owned(), |pass| format!("{}@{pass}", emit.stage.name())),
            extension: emit.stage.name(),
            text,
        };
        named.map(dump).collect()
    }

    /// The times as a table. Unit: milliseconds.
    pub fn time_table(&self) -> String {
        let line = |(name, seconds): &(String, f64)| format!("{:>10.3} ms  {name}\n", seconds * 1e3);
        self.times.iter().map(line).collect()
    }

    fn keep(&mut self, stage: Stage, pass: Option<&str>, text: &dyn Fn() -> String) {
        for (emit, dump) in self.emit.iter().zip(&mut self.dumps) {
            if emit.stage == stage && emit.pass.as_deref() == pass {
                *dump = Some(text());
            }
        }
    }
}

impl PassObserver for Watch {
    /// A pass that runs more than once is shown after its last run.
    fn reached_pass(&mut self, name: &str, module: &Module, seconds: f64) {
        // Which pass comes next is not known here; the one before it tells as much.
        self.progress.begins("passes", &format!("after {name}"));
        self.times.push((format!("pass {name}"), seconds));
        self.keep(Stage::Array, Some(name), &|| module.to_string());
    }
}

impl Observer for Watch {
    fn reached_stage(&mut self, stage: Stage, text: &dyn Fn() -> String) {
        self.keep(stage, None, text);
    }

    fn timed(&mut self, stage: &str, seconds: f64) {
        if stage == "front" {
            self.progress.begins("passes", "");
        }
        self.times.push((stage.to_owned(), seconds));
    }
}
