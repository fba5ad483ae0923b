//! Keys: from the command line, or the keys that game engines ship with and that are public
//! knowledge (all for Thin-ICE).

use std::collections::HashSet;

use tautochrone::ice::Ice;

use super::text;
use tautochrone_cli::{Answer, Common, Failure};

/// Name for `--game`, key, title.
pub(crate) const GAMES: &[(&str, &[u8; 8], &str)] = &[
    ("hl2dm", b"x9Ke0BY7", "Half-Life 2: Deathmatch, and the default"),
    ("csgo", b"d7NSuLq2", "Counter-Strike: Source and Global Offensive"),
    ("dods", b"Wl0u5B3F", "Day of Defeat: Source"),
    ("tf2", b"E2NcUkG2", "Team Fortress 2"),
    ("tf2-items", b"A5fSXbf7", "Team Fortress 2, items"),
    ("l4d", b"zp14Hi(]", "Left 4 Dead"),
    ("l4d2", b"SDhfi878", "Left 4 Dead 2"),
    ("portal2", b"UrE66!Ap", "Portal 2"),
    ("alienswarm", b"sW9.JupP", "Alien Swarm"),
    ("insurgency", b"DrA5e3EB", "Insurgency"),
    ("nmrih", b"lREeeapA", "No More Room in Hell"),
    ("nucleardawn", b"TA+*veh9", "Nuclear Dawn"),
    ("tacint", b"71B4Dt1Z", "Tactical Intervention"),
    ("ship", b"eb3A4m79", "The Ship"),
    ("zps", b"5R0ni0pZ", "Zombie Panic! Source"),
    ("contagion", b"fUk0fF69", "Contagion, weapons"),
    ("contagion-scripts", b"5!rrFz6p", "Contagion, scripts"),
    ("cspromod", b"H1aRQ0n1", "CSPromod"),
    ("dystopia-1.2", b"pH3apO8w", "Dystopia 1.2"),
    ("dystopia-1.3", b"G8stUh3F", "Dystopia 1.3"),
    ("goldeneye", b"Gr3naDes", "GoldenEye: Source"),
    ("hl2ctf", b"R1dj3axP", "Half-Life 2: Capture the Flag"),
    ("ekv-gpu", b"X8bU2qll", "EKV_GPU"),
    ("bloodygoodtime", b"K4PeJwL7", "Bloody Good Time"),
    ("fortressforever", b"saxEWr5v", "Fortress Forever, before Greenlight"),
    ("valve-tracker", b"\rU\xf3\xd3\xad\x06WG", "Valve Tracker"),
    ("dota2", b"dAIt1IL!", "Dota 2, .ekv"),
    ("hl2ep2", b"Xx81uBl)", "Half-Life 2: Episode Two, .ekv"),
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
    /// none. Text is UTF-8 or UTF-16 and has some 24 to 64 bytes at least: one random file in a
    /// million passes for it
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
                found.ok_or_else(|| Failure::new(unknown()))?.1.to_vec()
            }
            _ => return Err(Failure::new("which key? --key, --key-text, --game or --find-key")),
        };
        Ok(Some(key))
    }
}

/// A key as text, or as hexadecimal digits where it is none.
fn shown(key: [u8; 8]) -> String {
    let text = str::from_utf8(&key).ok().filter(|_| key.iter().all(u8::is_ascii_graphic));
    text.map_or_else(|| hex::encode(key), str::to_owned)
}

/// Shows all.
pub(crate) fn list(common: &Common) -> Result<Answer, Failure> {
    let game = |(name, key, title): &(&str, &[u8; 8], &str)| {
        let (key, hex) = (shown(**key), hex::encode(key));
        serde_json::json!({ "name": name, "key": key, "hex": hex, "title": title })
    };
    let games: Vec<_> = GAMES.iter().map(game).collect();
    let line = |(name, key, title): &(&str, &[u8; 8], &str)| {
        format!("{name:<20} {:<16}  {title}", shown(**key))
    };
    common.report(serde_json::json!({ "games": games }), GAMES.iter().map(line))
}

/// The game, and the cipher with its key, for which there is most evidence of text, if it is
/// enough: one in a million random files has it. Without, the reason.
pub(crate) fn find(
    bytes: &[u8],
    cipher: impl Fn(&[u8]) -> Result<Ice, Failure>,
) -> Result<Result<(&'static str, Ice), String>, Failure> {
    /// Most blocks that are looked at, and how many text of any kind needs.
    const MAX_BLOCKS: usize = 512;
    const NEEDED: usize = 8;
    // A block that is there twice is no more evidence than once.
    let mut seen = HashSet::new();
    let blocks = bytes.as_chunks().0.iter().copied();
    let sample: Vec<[u8; 8]> =
        blocks.filter(|block| seen.insert(*block)).take(MAX_BLOCKS).collect();
    let mut best = (text::threshold(GAMES.len(), 1e-6), None);
    for (name, key, _) in GAMES {
        let ice = cipher(*key)?;
        let mut plain = sample.clone();
        ice.decrypt(&mut plain);
        let evidence = text::evidence(plain.as_flattened());
        if evidence > best.0 {
            best = (evidence, Some((*name, ice)));
        }
    }
    Ok(best.1.ok_or_else(|| {
        let bytes = 8 * sample.len();
        let short = format!("; it is too short to tell ({bytes} bytes in blocks that differ)");
        let short = if sample.len() < NEEDED { &*short } else { "" };
        format!("no published key gives text{short}")
    }))
}
