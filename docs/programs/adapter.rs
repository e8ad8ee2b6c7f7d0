// An adapter in Rust: rustc adapter.rs. MIT: copy it and put your library in.

/// To "read" is to give a text in SAN as a move in UCI, to "write" the other way round.
fn answer(_operation: &str, _fen: &str, _text: &str) -> Result<String, String> {
    Err("put your library in".into()) // so it rejects a text
}

/// The text under a name in a line of JSON.
fn text(line: &str, name: &str) -> String {
    let value = line.split(&format!("\"{name}\":")).nth(1).unwrap_or("");
    let mut signs = value.trim_start().chars().skip(1);
    let next = || match signs.next()? {
        '"' => None,
        '\\' => match signs.next()? {
            'u' => {
                let code: String = signs.by_ref().take(4).collect();
                u32::from_str_radix(&code, 16).ok().and_then(char::from_u32).or(Some('\u{FFFD}'))
            }
            sign => "ntrbf".find(sign).map_or(Some(sign), |i| "\n\t\r\x08\x0C".chars().nth(i)),
        },
        sign => Some(sign),
    };
    std::iter::from_fn(next).collect()
}

fn main() {
    let about = r#""name": "my library", "version": "1.0", "language": "Rust""#;
    println!(r#"{{"sanproof": 1, {about}, "operations": ["read", "write"]}}"#);
    for line in std::io::stdin().lines().flatten() {
        let id = line.split("\"id\":").nth(1).and_then(|rest| rest.split([',', '}']).next());
        let operation = text(&line, "operation");
        let asked = text(&line, if operation == "read" { "san" } else { "uci" });
        let (kind, said) = match answer(&operation, &text(&line, "fen"), &asked) {
            Ok(result) => ("result", result),
            Err(message) => ("rejected", message),
        };
        let said: String = said.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        println!(r#"{{"id": {}, "{kind}": "{said}"}}"#, id.unwrap_or("0"));
    }
}
