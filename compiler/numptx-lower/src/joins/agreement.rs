//! How values of several types could be one, in words.

use numptx_ir::DType;
use numptx_ir::promotion::promote;

/// How values that are described so could be one, where there is more to say than that they should be.
pub(crate) fn how_to_agree(first: &str, second: &str) -> Option<String> {
    if [first, second].iter().any(|what| what.contains("function")) {
        return Some("decide inside one function: `def g(v): return np.sin(v) if n > 0 else np.cos(v)`".into());
    }
    if [first, second].contains(&"`None`") {
        return Some(
            "start with a value of that type that stands for nothing: `first = -1`, `best = -np.inf`, `out = np.empty(0)`".into(),
        );
    }
    let numpy = |what: &str| what.strip_prefix("a NumPy `")?.strip_suffix("` scalar").map(str::to_owned);
    let is_python = |what: &str| what.starts_with("a Python `");
    if let (Some(first), Some(second)) = (numpy(first), numpy(second)) {
        let wide = DType::from_text(&first).zip(DType::from_text(&second)).map(|(a, b)| promote(a, b))?;
        return Some(format!("make it one of both types where it begins: `np.{}(…)`", of_module(wide.name())));
    }
    let dtype = numpy(first).filter(|_| is_python(second)).or_else(|| numpy(second).filter(|_| is_python(first)))?;
    Some(format!("make the number of Python one of NumPy where it begins: `np.{}(…)`", of_module(&dtype)))
}

/// A dtype's name as an attribute of NumPy.
fn of_module(dtype: &str) -> &str {
    if dtype == "bool" { "bool_" } else { dtype }
}
