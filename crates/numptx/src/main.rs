//! The command line: arguments in, files, reports and an exit status out. It compiles nothing itself.
//!
//! Exit status: 0 done; 1 a program was refused; 2 the command could not be carried out as written; 70 a bug of ours.

mod arguments;
mod bug;
mod compile;
mod config;
mod drawing;
mod explain;
mod functions;
mod info;
mod input;
mod link;
mod observe;
mod output;
mod progress;
mod render;
mod reports;
mod rust;
mod status;
mod visible;

use std::borrow::Cow;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};
use crate::status::Status;

/// Deep expressions take stack in every stage; address space costs nothing until it is used.
const STACK_BYTES: usize = 256 << 20;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(answer) => return answered(&answer).into(),
    };
    let work = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || run(arguments));
    let status = match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        Ok(Err(_)) => Status::Bug,
        Err(error) => {
            output::error(&format!("cannot start a thread: {error}"));
            Status::Usage
        }
    };
    status.into()
}

/// Help, the version, or what is wrong with the arguments.
fn answered(answer: &clap::Error) -> Status {
    let text = answer.render().to_string();
    match (answer.use_stderr(), visible::visible(&text)) {
        (false, _) => output::ended(answer.print().and_then(|()| io::stdout().flush()).or_else(output::unprinted)),
        (true, Cow::Borrowed(_)) => {
            // There is nobody else to tell.
            let _ = answer.print();
            Status::Usage
        }
        (true, Cow::Owned(shown)) => {
            output::note(&shown);
            Status::Usage
        }
    }
}

fn run(arguments: Arguments) -> Status {
    match arguments.command {
        Command::Compile(arguments) => compile::compile(&arguments),
        Command::Check(arguments) => compile::check(&arguments),
        Command::Link(arguments) => link::link(&arguments),
        Command::Rust(arguments) => rust::compile(&arguments),
        Command::Functions(arguments) => functions::print(&arguments),
        Command::Explain(arguments) => explain::print(&arguments),
        Command::Info => info::print(),
        Command::Config(arguments) => config::print(&arguments),
    }
}
