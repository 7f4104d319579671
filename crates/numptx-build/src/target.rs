//! Whether there is code for what cargo builds for.

/// Refuses a target, as cargo names it in `TARGET`, that no code is made for. Outside of a build script there is none.
pub fn check(target: Option<&str>, host: Option<&str>, cpu: &str) -> Result<(), String> {
    let Some(target) = target else { return Ok(()) };
    if !(target.starts_with("x86_64-") && target.ends_with("-linux-gnu")) {
        return Err(format!(
            "numptx makes code for Linux on x86-64 with glibc, and cargo builds for `{target}`\n\
             leave the kernels out there, with `if` in build.rs and `#[cfg]` in the crate, or build for `x86_64-unknown-linux-gnu`"
        ));
    }
    if cpu == "native" && host.is_some_and(|host| host != target) {
        return Err(format!(
            "the processor `native` is the one that compiles, and cargo builds for `{target}` on `{}`; name a processor, such as `x86-64-v3`",
            host.unwrap_or_default()
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    const GLIBC: &str = "x86_64-unknown-linux-gnu";

    #[test]
    fn code_is_made_for_linux_on_x86_64_with_glibc() {
        assert_eq!(check(Some(GLIBC), Some(GLIBC), "native"), Ok(()));
        assert_eq!(check(None, None, "native"), Ok(()));
        assert_eq!(check(Some(GLIBC), Some("aarch64-apple-darwin"), "x86-64-v3"), Ok(()));
    }

    #[test]
    fn other_targets_are_refused_by_name() {
        for target in [
            "aarch64-unknown-linux-gnu",
            "x86_64-unknown-linux-musl",
            "x86_64-pc-windows-gnu",
            "x86_64-unknown-linux-gnux32",
        ] {
            let problem = check(Some(target), Some(GLIBC), "x86-64").unwrap_err();
            assert!(problem.contains(&format!("cargo builds for `{target}`")), "{problem}");
        }
    }

    #[test]
    fn the_processor_that_compiles_is_not_that_of_another_machine() {
        let problem = check(Some(GLIBC), Some("aarch64-unknown-linux-gnu"), "native").unwrap_err();
        assert!(problem.contains("name a processor"), "{problem}");
    }
}
