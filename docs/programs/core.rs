// The suite in `cargo test`, as tests/core.rs, with serde_json, and core.json beside Cargo.toml.
// MIT: copy it and put your library in.
use serde_json::Value;

fn read(_fen: &str, _san: &str) -> Result<String, String> {
    Err("put your library in: a move in UCI".into())
}

fn write(_fen: &str, _uci: &str) -> Result<String, String> {
    Err("put your library in: SAN".into())
}

#[test]
fn core() {
    let suite: Value = serde_json::from_str(&std::fs::read_to_string("core.json").unwrap()).unwrap();
    let mut wrong = vec![];
    for case in suite["cases"].as_array().unwrap() {
        let part = |name: &str| case[name].as_str().unwrap_or("");
        let found = match part("operation") {
            "read" => read(part("fen"), part("san")),
            "write" => write(part("fen"), part("uci")),
            _ => continue,
        };
        let due = if part("class") == "must not" { None } else { case["expected"].as_str() };
        if part("class") != "may" && found.as_deref().ok() != due {
            wrong.push(format!("{}: {found:?}, and not {due:?}. {}", part("id"), part("why")));
        }
    }
    assert!(wrong.is_empty(), "{} cases fail:\n{}", wrong.len(), wrong.join("\n"));
}
