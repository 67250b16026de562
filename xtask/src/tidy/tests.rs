//! Each habit with a file that breaks it.

use super::*;
use crate::spec;
use crate::violation::render;

fn lines(path: &str, text: &str) -> Vec<usize> {
    let file = RustFile::fixture(path, Layer::Core, text);
    check(&file, &Config::default()).into_iter().map(|found| found.line).collect()
}

const PATH: &str = "crates/fixture/src/thing.rs";

#[test]
fn untidy_files_are_caught() {
    spec!("architecture-rules#the-code-is-kept-tidy/an-untidy-file");
    assert_eq!(lines(PATH, "fn f() {}"), [1]);
    assert_eq!(lines(PATH, "//! X.\n#[test]\n#[ignore]\nfn f() {}"), [3]);
    assert_eq!(lines(PATH, "//! X.\n#[ignore = \"slow\"]\nfn f() {}"), [2]);
    assert_eq!(
        lines(PATH, "//! X.\nfn f() {\ntodo!() }\nfn g() {\nunimplemented!(\"x\") }"),
        [3, 5]
    );
    assert_eq!(
        lines(PATH, "//! X.\n#[cfg(test)] mod tests { fn f() {\nthread::sleep(x); } }"),
        [3]
    );
    assert_eq!(
        lines("crates/fixture/tests/it.rs", "//! X.\nfn f() { tokio::time::sleep(x).await }"),
        [2]
    );
    let long = format!("//! X.\n{}", "fn f() {}\n".repeat(LONGEST));
    assert_eq!(lines(PATH, &long), [1]);
}

#[test]
fn tidy_files_pass() {
    assert_eq!(lines(PATH, "//! X.\nfn f() { sleep(x).await } // todo!() #[ignore]\n"), [0; 0]);
    for path in ["crates/fixture/tests/eventually.rs", "bins/fixture/benches/table/main.rs"] {
        assert_eq!(lines(path, "//! X.\nfn f() { sleep(x) }"), [0; 0]);
    }
    let tests =
        format!("//! X.\n#[cfg(test)]\nmod tests {{\n{}}}\n", "fn f() {}\n".repeat(LONGEST));
    assert_eq!(lines(PATH, &tests), [0; 0]);
}

#[test]
fn a_long_file_needs_a_reason() {
    spec!("architecture-rules#the-code-is-kept-tidy/a-file-that-may-be-long");
    let text = format!("//! X.\n{}", "fn f() {}\n".repeat(LONGEST));
    let file = RustFile::fixture(PATH, Layer::Core, &text);
    let entry = Exception { path: PATH.to_owned(), reason: "a table".to_owned() };
    let config = Config { long: vec![entry], ..Config::default() };
    assert!(check(&file, &config).is_empty());
    assert_eq!(check(&file, &Config::default()).len(), 1);
}

#[test]
fn a_test_about_time_needs_a_reason() {
    spec!("architecture-rules#the-code-is-kept-tidy/a-test-about-time");
    let path = "bins/fixture/tests/kills.rs";
    let file = RustFile::fixture(path, Layer::Bin, "//! X.\nfn f() { sleep(x).await }");
    let entry = Exception { path: path.to_owned(), reason: "a random moment".to_owned() };
    let config = Config { sleep: vec![entry], ..Config::default() };
    assert!(check(&file, &config).is_empty());
    assert_eq!(check(&file, &Config::default()).len(), 1);
}

#[test]
fn paths_of_a_machine_are_caught() {
    spec!("architecture-rules#the-code-is-kept-tidy/an-untidy-file");
    let folder = format!("/{}/", "work");
    let caught = |line: String| machine_paths("x.md", &line).len();
    assert_eq!(caught(format!("cd {folder}main")), 1);
    assert_eq!(caught(format!("`{folder}main` and \"{folder}x\"")), 1);
    assert_eq!(caught(format!("target{folder}x")), 0);
    assert_eq!(caught(format!("{{dir}}{folder}x")), 0);
}

#[test]
fn an_undocumented_core_is_caught() {
    spec!("architecture-rules#the-code-is-kept-tidy/undocumented-core");
    let mut figures = Figures::default();
    let items = |count: usize| "/// X.\npub fn a() {}\n".repeat(count);
    measure(
        &RustFile::fixture(PATH, Layer::Core, &format!("//! X.\n{}pub fn b() {{}}\n", items(9))),
        &mut figures,
    );
    assert_eq!((figures.documented, figures.public), (9, 10));
    assert_eq!(check_documented(&figures), None);
    let hidden =
        "//! X.\npub struct S;\nimpl S { pub fn a() {} fn b() {} }\nfn c() { x.unwrap(); }\n";
    measure(&RustFile::fixture(PATH, Layer::Core, hidden), &mut figures);
    assert_eq!((figures.documented, figures.public, figures.unwraps), (9, 12, 1));
    assert!(check_documented(&figures).is_some_and(|found| found.message.starts_with("75 %")));
}

#[test]
fn the_workspace_is_tidy() {
    spec!("architecture-rules#the-code-is-kept-tidy/an-untidy-file");
    let workspace = Workspace::load().expect("the workspace can be read");
    let (found, _) = run(&workspace).expect("the workspace can be checked");
    assert!(found.is_empty(), "{}", render(&found));
}
