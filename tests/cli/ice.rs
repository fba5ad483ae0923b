//! The `ice` example as a user of game files runs it.

use tautochrone::ctr::{Label, Seed};
use tautochrone_testkit::examples::names;

use crate::folder::Folder;

#[path = "../../examples/ice/text.rs"]
mod text;

const TEXT: &[u8] = b"WeaponData\n{\n\t\"MaxPlayerSpeed\" \"221\"\n\t\"Damage\" \"36\"\n}\n// tail";

/// Whole blocks change, the last size mod 8 bytes stay; round trips by every kind of output;
/// --find-key names the game.
#[test]
fn files_go_there_and_back() {
    let dir = &Folder::new();
    assert_ne!(TEXT.len() % 8, 0);
    dir.write("a.txt", TEXT);
    dir.ok("ice encrypt --game CSGO --in a.txt --out a.ctx");
    let secret = dir.read("a.ctx");
    let whole = TEXT.len() / 8 * 8;
    assert_eq!(secret.len(), TEXT.len());
    assert_eq!(secret[whole..], TEXT[whole..], "the tail is plain");
    assert!(secret[..whole].chunks(8).zip(TEXT.chunks(8)).all(|(c, p)| c != p));

    let said = dir.ok("ice decrypt --find-key --in a.ctx --ext found");
    assert!(said.contains("csgo"), "{said}");
    assert_eq!(dir.read("a.found"), TEXT);

    // In place, on a directory.
    std::fs::create_dir(dir.join("d")).expect("made");
    dir.write("d/1", TEXT);
    dir.write("d/2", b"short");
    let key = "--level 2 --key 00112233445566778899aabbccddeeff";
    dir.ok(format!("ice encrypt --in d --in-place {key}"));
    assert_ne!(dir.read("d/1"), TEXT);
    dir.ok(format!("ice decrypt --in d --in-place {key}"));
    assert_eq!(dir.read("d/1"), TEXT);
    assert_eq!(dir.read("d/2"), b"short");
    assert_eq!(names(&dir.join("d")), ["1", "2"], "nothing is left behind");
}

/// A search goes on after files without a key and after files that cannot be read.
#[test]
fn a_search_looks_at_every_file() {
    let dir = &Folder::new();
    dir.write("b.txt", TEXT);
    dir.ok("ice encrypt --game tf2 --in b.txt --out b.ctx");
    dir.write("a.ctx", [0x80; 64]);
    for (more, code, named) in [("", 1, "a.ctx"), (" --in missing", 2, "missing")] {
        let line = format!("ice decrypt --find-key --in a.ctx --in b.ctx --ext found{more}");
        let output = dir.output(line);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(named), "{output:?}");
        assert_eq!(dir.read("b.found"), TEXT);
        dir.remove("b.found");
    }
}

/// Random files, numbers and constants keep their content: no wrong key gives evidence of text.
/// Counting printable bytes alone, every hundredth of these had a key.
#[test]
fn what_is_no_text_has_no_key() {
    let dir = &Folder::new();
    std::fs::create_dir(dir.join("d")).expect("made");
    let mut stream = Seed::from_bytes([5; 32]).stream(Label::new("ice: random files"), 0);
    let mut files: Vec<Vec<u8>> = (0..400_u64).map(|i| i.to_be_bytes().to_vec()).collect();
    files.extend((0..=255).map(|byte| vec![byte; 4096]));
    for i in 0..2000 {
        let mut file = vec![0; 8 + i % 57];
        stream.fill(&mut file);
        files.push(file);
    }
    for (i, file) in files.iter().enumerate() {
        dir.write(format!("d/{i}"), file);
    }
    let output = dir.output("ice decrypt --find-key --in d --in-place");
    assert_eq!((output.status.code(), &*output.stdout), (Some(1), &b""[..]), "{output:?}");
    for (i, file) in files.iter().enumerate() {
        assert_eq!(&dir.read(format!("d/{i}")), file);
    }
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    let short = "d/71: no published key gives text; it is too short to tell (8 bytes";
    assert!(said.contains(short), "{said}");
    dir.write("short", &TEXT[..8]);
    dir.ok("ice encrypt --game tf2 --in short --in-place");
    let output = dir.output("ice decrypt --find-key --in short --ext x");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("too short to tell"), "{output:?}");
}

/// Bytes that continue a text have probabilities that add up to at most 1, or 4/3 where UTF-8 may
/// be cut off; and so random bytes reach a threshold no more often than it says.
#[test]
fn evidence_is_a_likelihood_ratio() {
    let sum = |evidence: &dyn Fn(&[u8]) -> f64, before: &[u8]| {
        let mut bytes = [before, &[0; 2]].concat();
        let ratios = (0..=u16::MAX).map(|end| {
            bytes[before.len()..].copy_from_slice(&end.to_le_bytes());
            tautochrone::gauss::float::exp2(evidence(&bytes) - evidence(before))
        });
        ratios.sum::<f64>() / 65536.0
    };
    let utf16 = |bytes: &[u8]| text::utf16(bytes, u16::from_le_bytes);
    for before in ["", "a", "ab", "two words", "речь", "речь and more", "明", "\u{1}\u{1}"]
    {
        let utf8_sum = sum(&text::utf8, before.as_bytes());
        assert!((0.1..4.0 / 3.0).contains(&utf8_sum), "{before}: {utf8_sum}");
        let before: Vec<u8> = before.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let utf16_sum = sum(&utf16, &before);
        assert!((0.1..1.0 + 1e-9).contains(&utf16_sum), "{before:?}: {utf16_sum}");
    }
    let mut stream = Seed::from_bytes([6; 32]).stream(Label::new("ice: evidence"), 0);
    for probability in [1.0, 0.1, 0.01] {
        let mut reached = 0;
        for i in 0..8_000 {
            let mut bytes = [0; 64];
            let bytes = &mut bytes[..8 + i % 57];
            stream.fill(bytes);
            reached += u32::from(text::evidence(bytes) > text::threshold(1, probability));
        }
        assert!(f64::from(reached) <= 8_000.0 * probability, "{reached} of {probability}");
    }
}

/// 64 bytes of any language are enough, and 24 of a script.
#[test]
fn text_of_any_language_has_a_key() {
    let dir = &Folder::new();
    std::fs::create_dir(dir.join("d")).expect("made");
    let texts = [
        "\"Фонарь\"\n{\n\t\"имя\" \"ручной фонарь\"\n\t\"заряд\" \"сто единиц\"\n}\n",
        "Ce joueur choisit une arme et se bat contre l’ennemi : à court de munitions, il meurt.",
        "Người chơi chọn vũ khí và chiến đấu với kẻ thù. Hết đạn thì quay về căn cứ.",
        "MAXPLAYERSPEED AND DAMAGE ARE UPPER CASE WORDS HERE, AND NOTHING ELSE AT ALL.",
        "武器数据库中的每一个项目都有名称和价格，玩家可以在商店里购买它们，也可以出售旧的装备。",
        "このゲームでは、プレイヤーは武器を選んで敵と戦います。弾薬が足りないときは基地に戻る。",
        "이 게임에서 플레이어는 무기를 선택하고 적과 싸웁니다. 탄약이 부족하면 기지로 돌아가세요.",
        "في هذه اللعبة يختار اللاعب سلاحه ويقاتل الأعداء. إذا نفدت الذخيرة فعد إلى القاعدة.",
        "इस खेल में खिलाड़ी हथियार चुनता है और दुश्मनों से लड़ता है।",
        "😀😃😄😁😆😅🤣😂🙂🙃😉😊😇🥰😍🤩😘😗",
    ];
    let mut files = Vec::new();
    for text in texts {
        let utf16: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = utf16.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = utf16.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        let marked = [
            [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            [b"\xff\xfe", &*little].concat(),
            [b"\xfe\xff", &*big].concat(),
        ];
        let unmarked = [text.as_bytes().to_vec(), little, big];
        files.extend(marked.into_iter().chain(unmarked).map(|file| file[..64].to_vec()));
    }
    files.push(TEXT[..24].to_vec());
    files.push(texts[0].as_bytes().to_vec());
    for (i, file) in files.iter().enumerate() {
        dir.write(format!("d/{i}.p"), file);
    }
    dir.ok("ice encrypt --game csgo --in d --ext ctx");
    for i in 0..files.len() {
        dir.remove(&format!("d/{i}.p"));
    }
    dir.ok("ice decrypt --find-key --in d --ext txt");
    for (i, file) in files.iter().enumerate() {
        assert_eq!(&dir.read(format!("d/{i}.txt")), file);
    }
}

/// Every published key is found by what it encrypts; some blocks of scripts tell that it is the key
/// of its game.
#[test]
fn every_published_key_is_found() {
    let dir = &Folder::new();
    let games = dir.json("ice --list-games");
    let games = games["games"].as_array().expect("an array");
    assert_eq!(games.len(), 28);
    dir.write("a", "\"Item_lamp\"\n{\n\t\"");
    for game in games {
        let field = |name: &str| game[name].as_str().expect("text");
        let (name, hex) = (field("name"), field("hex"));
        dir.ok(format!("ice encrypt --key {hex} --in a --out b"));
        let said = dir.ok("ice decrypt --find-key --in b --out c");
        assert!(said.contains(&format!("key of {name}\n")), "{said}");
        let text = hex::decode(hex).expect("hexadecimal");
        let text = String::from_utf8(text).ok().filter(|_| name != "valve-tracker");
        assert_eq!(field("key"), text.as_deref().unwrap_or(hex));
    }
    for (name, plain, block) in [
        ("csgo", "\"Item_la", "c9c3dabfcf5f200c"),
        ("bloodygoodtime", "\"Item_la", "949f5ffa85eb1adc"),
        ("dota2", "\"Item_ro", "3e564c888b6b6dd4"),
    ] {
        dir.write("a", plain);
        let output = dir.output(format!("ice encrypt --game {name} --in a --out -"));
        assert_eq!(hex::encode(output.stdout), block, "{name}");
    }
}

/// The example of `--help`: below a directory, what has the extension of outputs is one, the second
/// time, too. A file that is named is not passed over.
#[test]
fn outputs_in_a_directory_are_passed_over() {
    let dir = &Folder::new();
    std::fs::create_dir(dir.join("scripts")).expect("made");
    dir.write("scripts/lamp.txt", TEXT);
    dir.ok("ice encrypt --game csgo --in scripts --ext ctx");
    dir.remove("scripts/lamp.txt");
    dir.write("scripts/rope.txt", "rope");
    let search = "ice decrypt --find-key --in scripts --ext txt";
    for _ in 0..2 {
        dir.ok(search);
        assert_eq!(dir.read("scripts/lamp.txt"), TEXT);
        assert_eq!(dir.read("scripts/rope.txt"), b"rope");
    }
    dir.refuses(format!("{search} --in scripts/rope.txt"), "rope.txt is an input");
}

/// With a key, too, a file that fails does not keep the others from being done.
#[test]
fn a_file_that_fails_fails_alone() {
    let dir = &Folder::new();
    for name in ["a", "c"] {
        dir.write(name, TEXT);
    }
    let output = dir.output("ice encrypt --game tf2 --in a --in missing --in c --ext x");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.starts_with("missing: "), "{said}");
    assert!(said.ends_with("error: 1 of 3 files failed, see above\n"), "{said}");
    for name in ["a.x", "c.x"] {
        assert_eq!(dir.read(name).len(), TEXT.len());
    }
}

/// In place: a link stays a link, and a file with two names is encrypted once.
#[test]
fn in_place_keeps_what_is_not_content() {
    let dir = &Folder::new();
    std::fs::create_dir_all(dir.join("d")).expect("made");
    dir.write("real", TEXT);
    std::os::unix::fs::symlink("../real", dir.join("d/link")).expect("linked");
    dir.ok("ice encrypt --game tf2 --in d --in real --in-place");
    assert_ne!(dir.read("real"), TEXT);
    assert!(dir.join("d/link").is_symlink());
    dir.ok("ice decrypt --game tf2 --in d/link --in-place");
    assert_eq!(dir.read("real"), TEXT, "encrypted once");
}

/// An extension is no path, and no input is written over by another's output, under any of its
/// names.
#[test]
fn outputs_beside_inputs_spare_them() {
    let dir = &Folder::new();
    let files = ["a.ctx", "a.txt", "b.txt"];
    for name in files {
        dir.write(name, TEXT);
    }
    for (args, hint) in [
        ("--in b.txt --ext txt", "b.txt is an input"),
        ("--in a.ctx --in ./a.txt --ext txt", "a.txt is an input"),
        ("--in a.ctx --in ./a.ctx --ext new", "same name"),
        // Two inputs, one output.
        ("--in a.ctx --in a.txt --ext new", "same name"),
        ("--in a.ctx --ext x/y", "--ext x/y"),
    ] {
        dir.refuses(format!("ice encrypt --game tf2 {args}"), hint);
    }
    for name in files {
        assert_eq!(dir.read(name), TEXT, "{name}");
    }
    assert_eq!(names(dir), files);
}

/// Files below a directory are its regular ones.
#[test]
fn special_files_are_passed_over() {
    let dir = &Folder::new();
    std::fs::create_dir(dir.join("d")).expect("made");
    dir.write("d/a", TEXT);
    let _socket = std::os::unix::net::UnixListener::bind(dir.join("d/s")).expect("a socket");
    dir.ok("ice encrypt --game tf2 --in d --in-place");
    assert_ne!(dir.read("d/a"), TEXT);
    dir.refuses("ice encrypt --game tf2 --in /dev/null --in-place", "no regular file");
}

/// With --json there is one object for every answer.
#[test]
fn json_is_one_object() {
    let dir = &Folder::new();
    dir.write("noise", [0x80; 64]);
    let (code, answer) = dir.verdict("ice decrypt --find-key --in noise --ext x");
    assert_eq!((code, &answer["bytes"]), (1, &0.into()));
    dir.refuses("ice encrypt --game tf2 --in noise --out - --json", "stdout");
}

#[test]
fn a_known_answer() {
    let dir = &Folder::new();
    dir.write("p", 0xfedc_ba98_7654_3210_u64.to_be_bytes());
    let output = dir.output("ice encrypt --level 1 --key deadbeef01234567 --in p --out -");
    assert_eq!(hex::encode(output.stdout), "7d6ef1ef30d47a96");
}

#[test]
fn bad_requests_are_one_line_and_exit_code_two() {
    let dir = &Folder::new();
    dir.write("a", TEXT);
    for (args, hint) in [
        ("--in a --in-place", "which key"),
        ("--key 00 --in a --in-place", "expected 8"),
        ("--key xy --in a --in-place", "hexadecimal"),
        ("--level 300 --key 00 --in a --in-place", "300"),
        ("--game pong --in a --in-place", "pong"),
        ("--game tf2 --in missing --in-place", "missing"),
        ("--game tf2 --in a", "where to"),
        ("--game tf2 --in-place", "no input"),
        ("--find-key --in a --in-place", "level 0"),
    ] {
        dir.refuses(format!("ice encrypt {args}"), hint);
    }
    assert_eq!(dir.read("a"), TEXT, "untouched");
}
