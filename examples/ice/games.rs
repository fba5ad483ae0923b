//! Keys: from the command line, or those that game engines ship with and that are public knowledge
//! (all for Thin-ICE).

use tautochrone::ice::Ice;

use tautochrone_cli::{Answer, Failure, say};

/// Name for `--game`, key, title.
pub(crate) const GAMES: &[(&str, &str, &str)] = &[
    ("hl2dm", "x9Ke0BY7", "Half-Life 2: Deathmatch, and the default"),
    ("csgo", "d7NSuLq2", "Counter-Strike: Source and Global Offensive"),
    ("dods", "Wl0u5B3F", "Day of Defeat: Source"),
    ("tf2", "E2NcUkG2", "Team Fortress 2"),
    ("tf2-items", "A5fSXbf7", "Team Fortress 2, items"),
    ("l4d", "zp14Hi(]", "Left 4 Dead"),
    ("l4d2", "SDhfi878", "Left 4 Dead 2"),
    ("portal2", "UrE66!Ap", "Portal 2"),
    ("alienswarm", "sW9.JupP", "Alien Swarm"),
    ("insurgency", "DrA5e3EB", "Insurgency"),
    ("nmrih", "lREeeapA", "No More Room in Hell"),
    ("nucleardawn", "TA+*veh9", "Nuclear Dawn"),
    ("tacint", "71B4Dt1Z", "Tactical Intervention"),
    ("ship", "eb3A4m79", "The Ship"),
    ("zps", "5R0ni0pZ", "Zombie Panic! Source"),
    ("contagion", "fUk0fF69", "Contagion, weapons"),
    ("contagion-scripts", "5!rrFz6p", "Contagion, scripts"),
    ("cspromod", "H1aRQ0n1", "CSPromod"),
    ("dystopia-1.2", "pH3apO8w", "Dystopia 1.2"),
    ("dystopia-1.3", "G8stUh3F", "Dystopia 1.3"),
    ("goldeneye", "Gr3naDes", "GoldenEye: Source"),
    ("hl2ctf", "R1dj3axP", "Half-Life 2: Capture the Flag"),
    ("ekv-gpu", "X8bU2qll", "EKV_GPU"),
];

/// Flags for a key; `#[command(flatten)]` it.
#[derive(Debug, clap::Args)]
pub(crate) struct Keys {
    /// Key in hexadecimal: 8 bytes a level, 8 for level 0
    #[arg(long, value_name = "HEX", conflicts_with_all = ["key_text", "game", "find_key"])]
    key: Option<String>,
    /// Key as text
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["game", "find_key"])]
    key_text: Option<String>,
    /// The published key of a game (see --list-games)
    #[arg(long, value_name = "NAME", conflicts_with = "find_key")]
    game: Option<String>,
    /// Try all published keys on each file; take the one that gives text, go on after files with
    /// none
    #[arg(long)]
    pub(crate) find_key: bool,
}

impl Keys {
    /// The key that the flags name; `None` with --find-key.
    pub(crate) fn key(&self) -> Result<Option<Vec<u8>>, Failure> {
        let key = match (&self.key, &self.key_text, &self.game) {
            _ if self.find_key => return Ok(None),
            (Some(text), ..) => hex::decode(text).map_err(|_| {
                Failure::new("--key is not hexadecimal: expected two digits a byte")
            })?,
            (_, Some(text), _) => text.clone().into_bytes(),
            (.., Some(game)) => {
                let found = GAMES.iter().find(|(name, ..)| name.eq_ignore_ascii_case(game));
                let unknown =
                    || format!("no published key for game {game}; --list-games shows all");
                found.ok_or_else(|| Failure::new(unknown()))?.1.as_bytes().to_vec()
            }
            _ => return Err(Failure::new("which key? --key, --key-text, --game or --find-key")),
        };
        Ok(Some(key))
    }
}

/// Shows all.
pub(crate) fn list(json: bool) -> Result<Answer, Failure> {
    if json {
        let mut games = Vec::new();
        for (name, key, title) in GAMES {
            games.push(serde_json::json!({ "name": name, "key": key, "title": title }));
        }
        say(serde_json::json!({ "games": games }))?;
        return Ok(Answer::Yes);
    }
    for (name, key, title) in GAMES {
        say(format_args!("{name:<20} {key}  {title}"))?;
    }
    Ok(Answer::Yes)
}

/// The game, and the cipher with its key, under which the first bytes look most like text, if they
/// do.
pub(crate) fn find(
    bytes: &[u8],
    cipher: impl Fn(&[u8]) -> Result<Ice, Failure>,
) -> Result<Option<(&'static str, Ice)>, Failure> {
    /// Share of characters that text has: letters, digits, punctuation, white space.
    const TEXT: f64 = 0.9;
    let sample = bytes[..bytes.len().min(4096)].as_chunks().0;
    let mut best: Option<(f64, &str, Ice)> = None;
    for (name, key, _) in GAMES {
        let ice = cipher(key.as_bytes())?;
        let mut plain = sample.to_vec();
        ice.decrypt(&mut plain);
        let is_text = |byte: &&u8| matches!(**byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
        let plain = plain.as_flattened();
        let score = plain.iter().filter(is_text).count() as f64 / plain.len().max(1) as f64;
        if best.as_ref().is_none_or(|(least, ..)| score > *least) {
            best = Some((score, name, ice));
        }
    }
    Ok(best.filter(|(score, ..)| *score >= TEXT).map(|(_, name, ice)| (name, ice)))
}
