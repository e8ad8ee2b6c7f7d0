// An adapter in Rust: rustc adapter.rs. MIT: copy it and put your library in.

/// read (text is SAN): a move in UCI; write (UCI): SAN; moves (no text): all legal moves in SAN;
/// play (SAN): the FEN after the move; game (PGN, no FEN): all moves in SAN, and the last FEN.
fn answer(_operation: &str, _fen: &str, _text: &str) -> Result<Vec<String>, String> {
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

fn quoted(text: &String) -> String {
    let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
    format!("\"{units}\"")
}

fn main() {
    let about = r#""name": "my library", "version": "1.0", "language": "Rust""#;
    let operations = r#"["read", "write", "moves", "play", "game"]"#;
    println!(r#"{{"sanproof": 1, {about}, "operations": {operations}}}"#);
    for line in std::io::stdin().lines().flatten() {
        let id = line.split("\"id\":").nth(1).and_then(|rest| rest.split([',', '}']).next());
        let operation = text(&line, "operation");
        let asked = ["san", "uci", "pgn"].map(|name| text(&line, name)).concat();
        let said = answer(&operation, &text(&line, "fen"), &asked);
        let texts: Vec<_> = said.iter().flatten().map(quoted).collect();
        let said = match (operation.as_str(), &said) {
            (_, Err(message)) => format!(r#""rejected": {}"#, quoted(message)),
            ("moves", _) => format!(r#""result": [{}]"#, texts.join(",")),
            ("game", _) => {
                let (fen, moves) = texts.split_last().expect("the last FEN");
                format!(r#""result": {{"moves": [{}], "fen": {fen}}}"#, moves.join(","))
            }
            _ => format!(r#""result": {}"#, texts[0]),
        };
        println!(r#"{{"id": {}, {said}}}"#, id.unwrap_or("0"));
    }
}
