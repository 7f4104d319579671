//! The line that `numptx compile` shows while a file takes its time: the file, the stage, and the function or pass in it.
//!
//! What a compilation tells as pieces of work begin goes in, from whichever thread. One line on standard error comes out, where
//! that is a terminal and after the first second. It is gone before anything else is written.

use std::convert::Infallible;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use numptx_source::Progress;

use crate::output;

/// Most files are done sooner; a line that flashes up tells nobody anything.
const PATIENCE: Duration = Duration::from_secs(1);
/// Between two drawings. Often enough for a clock of seconds, and too seldom to cost anything.
const PERIOD: Duration = Duration::from_millis(120);

/// Runs `work`, and shows what it tells about. `file`: its name, in which nothing steers a terminal.
///
/// The line is gone when this returns, and also when `work` panics.
pub fn during<T>(file: &str, work: impl FnOnce(Progress) -> T) -> T {
    let target = ProgressDrawTarget::stderr();
    if target.is_hidden() {
        return work(Progress::default());
    }
    shown(file, target, PATIENCE, work)
}

fn shown<T>(file: &str, target: ProgressDrawTarget, patience: Duration, work: impl FnOnce(Progress) -> T) -> T {
    let at = &Arc::new(Mutex::new(String::new()));
    let told = Arc::clone(at);
    let progress = Progress::new(move |stage, what| {
        // Names of functions come from the program.
        let now = format!("{stage} {what}");
        *told.lock().unwrap_or_else(PoisonError::into_inner) = output::name(Path::new(now.trim_end_matches(' ')));
    });
    let (end, ended) = mpsc::channel::<Infallible>();
    thread::scope(|scope| {
        // Without a thread there is no line; the work goes on.
        let _ = thread::Builder::new().spawn_scoped(scope, move || draw(file, at, target, patience, &ended));
        let result = work(progress);
        // A panic drops it, too: then as now the scope waits until the line is gone.
        drop(end);
        result
    })
}

/// Draws until nobody is left who could say when it ends. Only this thread draws: nothing appears after its end.
fn draw(file: &str, at: &Mutex<String>, target: ProgressDrawTarget, patience: Duration, ended: &Receiver<Infallible>) {
    let start = Instant::now();
    let goes_on = |wait| ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout);
    if !goes_on(patience) {
        return;
    }
    let style = ProgressStyle::with_template("{spinner} {elapsed_precise} {wide_msg}");
    let bar = ProgressBar::with_draw_target(None, target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        .with_elapsed(start.elapsed());
    loop {
        let now = at.lock().unwrap_or_else(PoisonError::into_inner).clone();
        bar.set_message(if now.is_empty() { file.to_owned() } else { format!("{file}: {now}") });
        bar.tick();
        if !goes_on(PERIOD) {
            break;
        }
    }
    bar.finish_and_clear();
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::{Arc, Mutex};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use indicatif::{ProgressDrawTarget, TermLike};

    use super::{PERIOD, shown};

    /// A terminal of one line.
    #[derive(Clone, Debug, Default)]
    struct Terminal {
        line: Arc<Mutex<String>>,
        /// All that was written.
        seen: Arc<Mutex<String>>,
    }

    impl Terminal {
        fn target(&self) -> ProgressDrawTarget {
            ProgressDrawTarget::term_like(Box::new(self.clone()))
        }

        fn line(&self) -> String {
            self.line.lock().expect("no drawing panics").clone()
        }

        fn seen(&self) -> String {
            self.seen.lock().expect("no drawing panics").clone()
        }

        #[track_caller]
        fn waits_for(&self, text: &str) {
            let start = Instant::now();
            while !self.seen().contains(text) {
                assert!(start.elapsed() < Duration::from_secs(60), "`{text}` was never drawn: {}", self.seen());
                sleep(PERIOD);
            }
        }
    }

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            60
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.line.lock().expect("no drawing panics").push_str(text);
            self.seen.lock().expect("no drawing panics").push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            self.line.lock().expect("no drawing panics").clear();
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_line_says_what_is_at_work_and_is_gone_at_the_end() {
        let terminal = Terminal::default();
        let result = shown("[2/5] a.py", terminal.target(), Duration::ZERO, |progress| {
            progress.begins("device", "f\u{1b}[2J\n");
            terminal.waits_for("[2/5] a.py: device f\\u{1b}[2J\\n ");
            progress.begins("link", "");
            terminal.waits_for("[2/5] a.py: link ");
            7
        });
        assert_eq!(result, 7);
        assert_eq!(terminal.line().trim(), "");
    }

    #[test]
    fn nothing_is_drawn_for_short_work_and_nothing_stays_after_a_panic() {
        let terminal = Terminal::default();
        shown("a.py", terminal.target(), Duration::from_secs(3600), |progress| progress.begins("device", "f"));
        assert_eq!(terminal.seen(), "");
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            shown("a.py", terminal.target(), Duration::ZERO, |_| {
                terminal.waits_for("a.py");
                panic!("on purpose");
            })
        }));
        assert!(panicked.is_err());
        assert!(terminal.seen().contains("a.py"));
        assert_eq!(terminal.line().trim(), "");
    }
}
