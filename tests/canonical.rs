//! Ten canonical programs, stage by stage: text where the text is the product.

use numptx_driver::{Halves, Observer, Options, Stage, compile};
use numptx_source::Source;
use numptx_tests::{read, root};

const PROGRAMS: &[&str] = &[
    "saxpy",
    "exp_axpy",
    "horizontal_diffusion",
    "jacobi_2d",
    "softmax",
    "nbody_acceleration",
    "grayscale",
    "correlation_window",
    "masked_update",
    "covariance",
];

/// Keeps the dumps of the stages.
#[derive(Default)]
struct Dumps {
    stages: Vec<(Stage, String)>,
}

impl numptx_driver::PassObserver for Dumps {
    fn reached_pass(&mut self, _name: &str, _module: &numptx_driver::ir::array::Module, _seconds: f64) {}
}

impl Observer for Dumps {
    fn reached_stage(&mut self, stage: Stage, text: &dyn Fn() -> String) {
        self.stages.push((stage, text()));
    }
    fn timed(&mut self, _stage: &str, _seconds: f64) {}
}

fn options(name: &str) -> Options {
    Options { halves: Halves::DeviceOnly, ..Options::new(name) }
}

fn dumps(name: &str) -> Vec<(Stage, String)> {
    let text = read(&root().join("tests/corpus").join(format!("{name}.py")));
    let name = name.rsplit('/').next().unwrap_or(name);
    let mut dumps = Dumps::default();
    let outcome = compile(&Source::new(format!("{name}.py"), text), &options(name), &mut dumps);
    assert!(outcome.is_ok(), "{name}: {outcome:?}");
    dumps.stages
}

#[test]
fn the_front_stages_read_as_they_should() {
    for name in PROGRAMS {
        for (stage, text) in dumps(name).into_iter().filter(|(s, text)| *s <= Stage::Kernel && !text.is_empty()) {
            insta::assert_snapshot!(format!("{name}.{}", stage.name()), text);
        }
    }
}

#[test]
fn a_list_and_a_dictionary_lower_as_they_should() {
    let array = dumps("objects/tallied").into_iter().find(|(stage, _)| *stage == Stage::Array);
    insta::assert_snapshot!("tallied.array", array.map(|(_, text)| text).unwrap_or_default());
}

#[test]
fn ptx_of_the_smallest_kernel_reads_as_it_should() {
    let ptx = dumps("saxpy").into_iter().find(|(s, _)| *s == Stage::Ptx).map(|(_, text)| text).unwrap_or_default();
    insta::assert_snapshot!("saxpy.ptx", ptx);
}

#[test]
fn dumps_of_the_array_stages_can_be_fed_back_in() {
    for name in PROGRAMS {
        for (stage, text) in dumps(name).into_iter().filter(|(s, _)| matches!(s, Stage::Array | Stage::Kernel)) {
            let mut again = Dumps::default();
            let source = Source::new(format!("{name}.{}", stage.name()), text.as_str());
            compile(&source, &options(name), &mut again).unwrap_or_else(|e| panic!("{name}.{}: {e}", stage.name()));
            let kernel = |d: &[(Stage, String)]| d.iter().find(|(s, _)| *s == Stage::Kernel).map(|(_, t)| t.clone());
            assert_eq!(kernel(&again.stages), kernel(&dumps(name)), "{name} from its {} dump", stage.name());
        }
    }
}

#[test]
fn output_is_deterministic() {
    for name in PROGRAMS {
        assert_eq!(dumps(name), dumps(name), "{name}");
    }
}

/// LLVM's text for a loop of `n` branches.
fn branches(n: usize) -> String {
    let mut text =
        "#numptx export f(float64[:], float64[:])\ndef f(x, y):\n    for i in range(len(x)):\n        s = 0.0\n"
            .to_owned();
    for k in 0..n {
        text += &format!(
            "        if x[i] > {k}.5:\n            s += x[i] * {k}.25\n        else:\n            s -= {k}.125\n"
        );
    }
    text += "        y[i] = s\n";
    let options = Options { halves: Halves::HostOnly, show_llvm: true, ..Options::new("branches") };
    let mut dumps = Dumps::default();
    let outcome = compile(&Source::new("branches.py", text), &options, &mut dumps);
    assert!(outcome.is_ok(), "{outcome:?}");
    dumps.stages.into_iter().find(|(s, _)| *s == Stage::Llvm).map(|(_, text)| text).unwrap_or_default()
}

#[test]
fn host_programs_grow_with_their_branches_and_long_ones_are_left_as_they_are() {
    let n_blocks = |llvm: &str| {
        llvm.lines().filter(|line| line.starts_with(|c: char| c.is_alphanumeric()) && line.contains(':')).count()
    };
    let [few, many, twice] = [5, 40, 80].map(branches);
    assert!(!few.contains("optnone"), "5 branches are optimised");
    assert!(many.contains("optnone") && twice.contains("optnone"));
    assert!(n_blocks(&twice) < 2 * n_blocks(&many) + n_blocks(&few), "{} and {}", n_blocks(&many), n_blocks(&twice));
}
