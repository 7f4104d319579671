//! Device code of cooperative programs: which variants an architecture has, how many loads of a thread are under way together, and which stores are left out.

mod harness;

use numptx_codegen::{CodegenOptions, DeviceTarget, device_ptx};
use numptx_ir::kernel::{self, Kernel};

/// `for t in range(3): x[i] = op(y[n - 1 - i], op(x[i], y[n - 1 - i])); x[0] = sum(x)` over `i32[:]`.
fn cooperative(op: &str) -> Kernel {
    let text = "kernel @k rank 1 reduced 0 block 1024 vector 1 {
  operand readwrite i32[0] noalias
  operand read i32[0] noalias
  scalar i64
  scalar i64
  scalar i64
  table 0 [1]
  table 1 [2]
  code {
    $0 = input 0 : i64
    $1 = constant 0 : i64
    $2 = constant 1 : i64
    $3 = constant 3 : i64
    $4 = sub $0, $2 : i64
    for $1, $3, $2 ($5: i64) {
      barrier
      parallel $0 ($6: i64) {
        $7 = sub $4, $6 : i64
        $8 = load 0 at $6 : i32
        $9 = load 1 at $7 : i32
        $14 = OP $8, $9 : i32
        $10 = OP $9, $14 : i32
        store $10 to 0 at $6
        yield
      }
      barrier
      $13 = reduce add $0 ($11: i64) {
        $12 = load 0 at $11 : i32
        yield $12
      } : i32
      parallel {
        store $13 to 0 at $1
        yield
      }
      yield
    }
    yield
  }
}
";
    let kernel = kernel::parse::parse(&text.replace("OP", op)).unwrap();
    assert_eq!(kernel::verify::verify(&kernel).map_err(|errors| errors[0].to_string()), Ok(()));
    kernel
}

fn ptx(op: &str, sm: u32) -> String {
    device_ptx(&[cooperative(op)], DeviceTarget { sm }, None, &CodegenOptions::default()).unwrap()
}

/// The text of one variant.
fn variant<'t>(text: &'t str, name: &str) -> &'t str {
    let begin = text.find(&format!(".entry k__{name}")).unwrap_or_else(|| panic!("no {name}"));
    text[begin..].split("\n}").next().unwrap()
}

/// The most loads from global memory between which nothing is stored and nobody jumps.
fn loads_together(text: &str) -> usize {
    let mut most = 0;
    let mut n = 0;
    for line in text.lines() {
        if line.contains("ld.global") {
            n += 1;
            most = most.max(n);
        } else if line.contains("st.global") || line.contains("bra") || line.starts_with('$') {
            n = 0;
        }
    }
    most
}

#[test]
fn clusters_are_where_devices_have_them() {
    let (old, new) = (ptx("add", 75), ptx("add", 90));
    assert!(!old.contains("cluster"));
    for name in ["block64", "grid64"] {
        assert!(variant(&old, name).contains("bar.sync") && variant(&new, name).contains("bar.sync"));
    }
    let cluster = variant(&new, "cluster64");
    assert!(cluster.contains(".maxntid 512") && variant(&new, "block64").contains(".maxntid 1024"));
    assert!(!cluster.contains("fence"), "the hardware's barrier is enough");
    let n = |text: &str| cluster.matches(text).count();
    assert_eq!(n("barrier.cluster.arrive"), n("barrier.cluster.wait"));
    assert_eq!(n("barrier.cluster.arrive"), 4, "at the begin, two barriers, and the sum's");
    assert_eq!(n("mapa"), 1, "a block's sum goes to the others");
}

#[test]
fn points_of_a_thread_load_together() {
    let text = ptx("add", 90);
    for name in ["cluster64", "grid64"] {
        assert_eq!(loads_together(variant(&text, name)), 16, "{name}: two of each of 8 points");
    }
    assert_eq!(loads_together(variant(&text, "block64")), 2);
}

#[test]
fn a_minimum_that_changes_nothing_is_not_stored() {
    /// Whether a store depends on a condition, and on no branch.
    fn is_skipped(text: &str) -> bool {
        let body = text.split("ld.global").nth(2).unwrap();
        let before = &body[..body.find("st.global").unwrap()];
        assert!(!before.contains("bra"), "{before}");
        before.contains("@%where")
    }
    for (op, skips) in [("min", true), ("max", true), ("or", true), ("add", false)] {
        assert_eq!(is_skipped(variant(&ptx(op, 90), "block64")), skips, "{op}");
    }
}

/// `x[i] = sum(y[:LENGTH(i)]) - x[i]` over `f64[:]`.
fn summing(length: &str) -> String {
    let text = "kernel @k rank 1 reduced 0 block 1024 vector 1 {
  operand readwrite f64[0] noalias
  operand read f64[0] noalias
  scalar i64
  scalar i64
  scalar i64
  table 0 [1]
  table 1 [2]
  code {
    $0 = input 0 : i64
    $1 = constant 8 : i64
    $2 = constant 0 : i64
    $3 = constant 1 : i64
    parallel $0 ($4: i64) {
      $5 = add $4, $1 : i64
      FOR
      $9 = reduce add LENGTH ($6: i64) {
        $7 = load 1 at $6 : f64
        yield $7
      } : f64
      $10 = load 0 at $4 : f64
      $11 = sub $9, $10 : f64
      store $11 to 0 at $4
      yield
    }
    yield
  }
}
";
    let (length, before) = match length {
        // Another loop in the point.
        "loop" => ("$0", "for $2, $0, $3 ($12: i64) {\n$13 = load 1 at $12 : f64\nstore $13 to 0 at $4\nyield\n}"),
        length => (length, ""),
    };
    let text = text.replace("LENGTH", length).replace("FOR", before);
    let kernel = kernel::parse::parse(&text).unwrap();
    assert_eq!(kernel::verify::verify(&kernel).map_err(|errors| errors[0].to_string()), Ok(()));
    device_ptx(&[kernel], DeviceTarget { sm: 90 }, None, &CodegenOptions::default()).unwrap()
}

#[test]
fn lanes_of_a_warp_share_the_sum_of_a_point() {
    for length in ["$0", "$5"] {
        let text = summing(length);
        for name in ["block64", "cluster64", "grid64"] {
            let text = variant(&text, name);
            assert_eq!(text.matches("shfl.sync").count(), 10, "{name}: five exchanges of two words");
            assert_eq!(text.matches("bar.warp.sync").count(), 2, "{name}: before a lane stores, and after");
            assert_eq!(loads_together(text), 8, "{name}: a lane's loads are under way together");
        }
    }
    for length in ["$1", "loop"] {
        assert!(!variant(&summing(length), "block64").contains("shfl.sync"), "{length}: a thread does as well");
    }
}

/// `for i in range(n): x[i] = x[i] - sum(y[j] * x[j] for j in range(i))` over `f64[:]`.
const SOLVE: &str = "kernel @k rank 1 reduced 0 block 512 vector 1 {
  operand readwrite f64[0] noalias
  operand read f64[0] noalias
  scalar i64
  scalar i64
  scalar i64
  table 0 [1]
  table 1 [2]
  code {
    $0 = input 0 : i64
    solve add $0 to 0 at ($1: i64) {
      yield $1
    } factor ($2: i64, $3: i64) {
      $4 = load 1 at $3 : f64
      yield $4
    } term ($5: f64, $6: f64) {
      $7 = mul $5, $6 : f64
      yield $7
    } value ($8: i64, $9: f64) {
      $10 = load 0 at $8 : f64
      $11 = sub $10, $9 : f64
      yield $11
    }
    yield
  }
}
";

#[test]
fn sums_of_neighbouring_tiles_are_counted_apart() {
    let kernel = kernel::parse::parse(SOLVE).unwrap();
    assert_eq!(kernel::verify::verify(&kernel).map_err(|errors| errors[0].to_string()), Ok(()));
    let text = device_ptx(&[kernel], DeviceTarget { sm: 90 }, None, &CodegenOptions::default()).unwrap();
    let text = variant(&text, "grid64");
    let made = |register: &str| {
        let is_made = |line: &&str| line.split_whitespace().nth(1) == Some(&format!("{register},"));
        text.lines().find(is_made).unwrap_or_else(|| panic!("{register} is not made"))
    };
    let (mut of_tiles, mut of_sums) = (Vec::new(), Vec::new());
    for line in text.lines().filter(|line| line.contains("ld.acquire") || line.contains("red.relaxed")) {
        let (_, address) = line.split_once('[').unwrap();
        let address: Vec<&str> = made(&address[..address.find(']').unwrap()]).split_whitespace().collect();
        let kind = if line.contains("red") { "red" } else { "ld" };
        match address[..] {
            ["add.s64", _, _, "32;"] => of_tiles.push(kind),
            ["add.s64", _, before, "48;"] => {
                let before = made(before.trim_end_matches(','));
                assert!(before.contains("add.s64"), "{before}: the counter is the same for all tiles");
                of_sums.push(kind);
            }
            _ => assert!(address[0].contains("ld.param"), "{address:?}: the counter of arrivals"),
        }
    }
    assert_eq!(of_tiles.iter().filter(|kind| **kind == "ld").count(), 1, "the other blocks wait for tiles");
    assert_eq!(of_sums.iter().filter(|kind| **kind == "red").count(), 1, "and count sums");
    assert!(of_sums.contains(&"ld"), "for which the first block waits");
}
