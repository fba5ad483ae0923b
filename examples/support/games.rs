//! Keys that game engines ship with and that are public knowledge; all are for Thin-ICE.

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
