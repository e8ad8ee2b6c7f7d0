// Asks shakmaty 0.28 or later the cases that read and write; needs serde_json too.
use serde_json::Value;
use shakmaty::{fen::Fen, san::SanPlus, uci::UciMove, CastlingMode, Chess};

fn answer(case: &Value) -> Result<String, Box<dyn std::error::Error>> {
    let text = |name: &str| case[name].as_str().unwrap_or_default();
    let mode = CastlingMode::Standard;
    let position: Chess = text("fen").parse::<Fen>()?.into_position(mode)?;
    if case["operation"] == "write" {
        let m = text("uci").parse::<UciMove>()?.to_move(&position)?;
        return Ok(SanPlus::from_move(position, m).to_string());
    }
    let san: SanPlus = text("san").parse()?;
    let m = san.san.to_move(&position)?;
    Ok(UciMove::from_move(m, mode).to_string())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::fs::File::open(std::env::args().nth(1).ok_or("name a file")?)?;
    let suite: Value = serde_json::from_reader(file)?;
    for case in suite["cases"].as_array().ok_or("no suite")? {
        let asked = case["operation"] == "read" || case["operation"] == "write";
        if !asked || case["class"] == "may" { continue; }
        let result = answer(case).ok();
        if result.as_deref() != case["expected"].as_str() {
            println!("{} {result:?} {}", case["id"], case["why"]);
        }
    }
    Ok(())
}
