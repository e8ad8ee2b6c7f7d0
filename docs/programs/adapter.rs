// An adapter in Rust, without dependencies: rustc adapter.rs. MIT: copy it and put your library in.
use std::io::{self, BufRead, Write};

fn read(_fen: &str, _san: &str) -> Result<String, String> {
    Err("put your library in".into()) // the move in UCI; an error if the text is rejected
}

fn write(_fen: &str, _uci: &str) -> Result<String, String> {
    Err("put your library in".into()) // the move in SAN
}

/// The text under a name in a line of JSON.
fn text(line: &str, name: &str) -> String {
    let mut found = String::new();
    let key = format!("\"{name}\":");
    let Some(start) = line.find(&key) else { return found };
    let mut rest = line[start + key.len()..].trim_start()[1..].chars();
    while let Some(sign) = rest.next() {
        match sign {
            '"' => break,
            '\\' => match rest.next() {
                Some('u') => {
                    let code: String = rest.by_ref().take(4).collect();
                    let code = u32::from_str_radix(&code, 16).unwrap_or(0xFFFD);
                    found.push(char::from_u32(code).unwrap_or('\u{FFFD}'));
                }
                Some(other) => found.push(match other { 'n' => '\n', 't' => '\t', _ => other }),
                None => break,
            },
            _ => found.push(sign),
        }
    }
    found
}

fn main() -> io::Result<()> {
    let about = r#""name": "my library", "version": "1.0", "language": "Rust""#;
    println!(r#"{{"sanproof": 1, {about}, "operations": ["read", "write"]}}"#);
    for line in io::stdin().lock().lines() {
        let line = line?;
        let id = line.split("\"id\":").nth(1).unwrap_or("0");
        let id: String = id.trim_start().chars().take_while(char::is_ascii_digit).collect();
        let fen = text(&line, "fen");
        let answer = match text(&line, "operation").as_str() {
            "read" => read(&fen, &text(&line, "san")),
            _ => write(&fen, &text(&line, "uci")),
        };
        let (kind, said) = answer.map_or_else(|no| ("rejected", no), |yes| ("result", yes));
        let said: String = said.chars().map(|c| if c < ' ' || "\"\\".contains(c) { format!("\\u{:04x}", c as u32) } else { c.into() }).collect();
        println!(r#"{{"id": {id}, "{kind}": "{said}"}}"#);
        io::stdout().flush()?;
    }
    Ok(())
}
