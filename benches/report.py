#!/usr/bin/env python3
"""Records of measurements, the table of results and the pictures of docs/pictures.

    benches/report.py record CRITERION-FOLDER DATE   every measurement, as a record on stdout
    benches/report.py check <NAMES                   whether these benches are all that is shown
    benches/report.py readme RECORD README           the table of results, from a record
    benches/report.py pictures RECORD FOLDER         from a record, and measured on the spot

record.sh and pictures.sh call it. Pictures take matplotlib, the others Python alone.
"""

import collections
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# The median nanoseconds of an iteration, and what it does: elements (1 where none are stated) or
# bytes.
Measurement = collections.namedtuple("Measurement", "nanoseconds amount unit")
# A row of the table: its figure's unit and id, in which {best} stands for the instruction set; a
# peer and its id; the name in the picture, if it is there.
Row = collections.namedtuple("Row", "what unit id peer drawn", defaults=(None, None))

# Instruction sets from the best down.
TIERS = ("amx", "ifma", "avx512", "avx512-base", "avx2-gfni", "avx2", "adx", "neon", "portable")
OF_BIG_NUMBERS = ("ifma", "adx")
NORMAL = "rand_distr Normal rounded, which is no discrete Gaussian"
ROWS = (
    Row("proof of 4096 preimages (T4-128), mean attempts", "ms", "prove/T4-128/{best}"),
    Row("its check, T in memory", "ms", "verify-loaded/T4-128/{best}"),
    Row("its check, T read from a file", "ms", "verify/T4-128/{best}"),
    Row("its check, one of a batch of 16", "ms of 16", "verify-16/T4-128/{best}"),
    Row("commitment T = A S for it", "ms", "commit/T4-128/{best}"),
    Row(
        "FACCT, sigma = 215 (or any other)",
        "M/s",
        "facct/sigma=215/{best}",
        (NORMAL, "rand/sigma=1e6/peer: rand_distr Normal + round, ChaCha12"),
        "FACCT / rounded Normal",
    ),
    Row(
        "bit-sliced, sigma = 2, 64 bits",
        "M/s",
        "bitslice/sigma 2 p64 planes/{best}",
        (NORMAL, "bitslice/rand_distr Normal rounded, sigma 2/any"),
        "bit-sliced / rounded Normal",
    ),
    Row(
        "Ziggurat, sigma = 215 (variable time)",
        "M/s",
        "ziggurat/sigma=215,m=512/{best}",
        (NORMAL, "ziggurat/sigma=215/peer: rand_distr Normal + round, ChaCha12"),
        "Ziggurat / rounded Normal",
    ),
    Row(
        "AES-128-CTR",
        "bytes",
        "keystream/AES-128/{best}",
        ("the bare block function", "keystream/AES-128/peer: aes encrypt_blocks alone"),
        "AES-CTR / block function",
    ),
    Row(
        "product modulo 2^8, 1024^3",
        "GMAC/s",
        "square/w8-1024/{best}",
        ("nalgebra", "square/w8-1024/nalgebra"),
    ),
    Row(
        "product modulo 2^32, 1024^3",
        "GMAC/s",
        "square/w32-1024/{best}",
        ("nalgebra", "square/w32-1024/nalgebra"),
        "product mod 2^32 / nalgebra",
    ),
    Row(
        "product modulo 2^64, 1024^3",
        "GMAC/s",
        "square/w64-1024/{best}",
        ("nalgebra", "square/w64-1024/nalgebra"),
        "product mod 2^64 / nalgebra",
    ),
    Row(
        "Thin-ICE, 64 KiB, constant time",
        "bytes",
        "encrypt/0-8192/{best}",
        ("icefast (tables)", "encrypt/0-8192/icefast"),
    ),
    Row(
        "ICE, 64 KiB, constant time",
        "bytes",
        "encrypt/1-8192/{best}",
        ("icefast (tables)", "encrypt/1-8192/icefast"),
        "ICE / icefast",
    ),
    Row(
        "exponentiation of 2048 bits, odd modulus",
        "ms",
        "modexp-odd/2048/{best}",
        ("crypto-bigint", "modexp-odd/2048/crypto-bigint"),
        "modexp, 2048 bits / crypto-bigint",
    ),
    Row(
        "exponentiation of 2048 bits, odd modulus, without AVX-512",
        "ms",
        "modexp-odd/2048/adx",
        ("crypto-bigint", "modexp-odd/2048/crypto-bigint"),
    ),
    Row(
        "exponentiation of 2048 bits, even modulus",
        "ms",
        "modexp-even/2048/{best}",
        ("num-bigint (variable time)", "modexp-even/2048/num-bigint"),
    ),
    Row(
        "exponentiation of 2048 bits, any modulus, one of eight at once",
        "ms of 8",
        "modexp-even/2048/ifma-8-lanes",
        ("num-bigint (variable time)", "modexp-even/2048/num-bigint"),
    ),
)
BEGIN = "<!-- results: written by benches/record.sh -->\n"
END = "<!-- end of results -->\n"


def rate(measurement):
    """Elements or bytes a second."""
    return measurement.amount / measurement.nanoseconds * 1e9


def collect(folder):
    """Criterion's results by their ids."""
    record = {}
    for file in pathlib.Path(folder).glob("**/new/benchmark.json"):
        about = json.loads(file.read_text())
        estimates = json.loads(file.with_name("estimates.json").read_text())
        throughput = about["throughput"] or {}
        unit = "bytes" if "Bytes" in throughput else "elements"
        amount = throughput.get("Bytes", throughput.get("Elements", 1))
        name = about["full_id"].replace("|", "/")
        record[name] = Measurement(estimates["median"]["point_estimate"], amount, unit)
    if not record:
        sys.exit(f"report: {folder}: no results; run cargo bench first")
    return record


def write_record(folder, date):
    record = collect(folder)
    tiers = [tier for tier in TIERS if tier not in OF_BIG_NUMBERS]
    best = next(
        (tier for tier in tiers if any(name.endswith(f"/{tier}") for name in record)), "unknown"
    )
    info = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"^model name\s*: (.*)$", info, re.MULTILINE)
    print(
        f"# All benches, {model[1].strip() if model else 'unknown CPU'}, {date}\n\n"
        f"{len(os.sched_getaffinity(0))} logical CPUs, best instruction set {best}, "
        "one thread unless an id says otherwise.\n"
        "Written by `benches/record.sh`, which runs `cargo bench --benches` "
        "with a short measuring time; medians.\n"
        "Compare ratios within this file rather than figures between files: "
        "shared machines drift.\n\n"
        "| id | median, ns | amount | unit | per second |\n|---|---|---|---|---|"
    )
    for name, m in sorted(record.items()):
        per_second = re.sub(r"e\+?(-?)0*(\d)", r"e\1\2", f"{rate(m):.4e}")
        print(f"| {name} | {m.nanoseconds:.1f} | {m.amount} | {m.unit} | {per_second} |")


def read_record(path):
    """Its title and its measurements."""
    lines = pathlib.Path(path).read_text().splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    record = {
        name: Measurement(float(ns), float(amount), unit) for name, ns, amount, unit, _ in rows[1:]
    }
    return lines[0].removeprefix("# "), record


def find(record, name):
    """The measurement of a name, where {best} stands for the best instruction set measured."""
    found = (record.get(name.replace("{best}", tier)) for tier in TIERS)
    return next((m for m in found if m), None) or sys.exit(
        f"report: the record has no measurement {name}"
    )


def shown(unit, m):
    def three(x):
        return f"{x:.{max(0, 2 - math.floor(math.log10(x)))}f}"

    unit, _, each = unit.partition(" of ")
    if unit == "ms":
        return f"{three(m.nanoseconds / int(each or 1) / 1e6)} ms"
    if unit == "bytes":
        return f"{three(rate(m) / 1e6)} MB/s" if rate(m) < 1e9 else f"{three(rate(m) / 1e9)} GB/s"
    return f"{three(rate(m) / (1e6 if unit == 'M/s' else 1e9))} {unit}"


def table(record):
    lines = ["| what | figure | baseline, same run | ratio |", "|---|---|---|---|"]
    for row in ROWS:
        # Lanes exist where the CPU has them; everything else must have been measured.
        if row.id.endswith("-lanes") and row.id not in record:
            continue
        m, baseline, ratio = find(record, row.id), "", ""
        if row.peer:
            name, peer = row.peer[0], find(record, row.peer[1])
            # A peer works on one at a time.
            baseline = f"{shown(row.unit.partition(' of ')[0], peer)}, {name}"
            ratio = f"{rate(m) / rate(peer):.1f}"
        lines.append(f"| {row.what} | {shown(row.unit, m)} | {baseline} | {ratio} |")
    return "\n".join(lines) + "\n"


def update_readme(record, readme):
    title, record = read_record(record)
    readme = pathlib.Path(readme)
    before, begin, rest = readme.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        sys.exit(f"report: {readme} has no markers where results begin and end")
    readme.write_text(f"{before}{BEGIN}{title}; one thread.\n\n{table(record)}{END}{after}")


def program(*words):
    """The answer of the command `tautochrone` as JSON."""
    command = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target")) / "release/tautochrone"
    output = subprocess.run(
        [command, *map(str, words), "--json"], check=True, stdout=subprocess.PIPE
    )
    return json.loads(output.stdout)


def draw_histogram(figure, _):
    """10^9 FACCT samples of sigma = 215 against 1 / (sigma sqrt(2 pi)) exp(-x^2 / (2 sigma^2))."""
    import numpy

    sigma, samples, cell, reach = 215, 10**9, 25, 100
    command = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target")) / "release/tautochrone"
    words = [
        "sample",
        "--sampler",
        "facct",
        "--sigma",
        sigma,
        "--count",
        samples,
        "--seed",
        "01" * 32,
        "--out",
        "-",
    ]
    counts = numpy.zeros(2 * reach + 1, numpy.int64)
    with subprocess.Popen([command, *map(str, words)], stdout=subprocess.PIPE) as drawing:
        while chunk := drawing.stdout.read(1 << 22):
            cells = (numpy.frombuffer(chunk, "<i8") + cell // 2) // cell + reach
            counts += numpy.bincount(cells, minlength=len(counts))
    x = numpy.arange(-1500, 1501, 5)
    axes = figure.subplots()
    ideal = numpy.exp(-x * x / (2 * sigma**2)) / (sigma * math.sqrt(2 * math.pi))
    axes.semilogy(x, ideal, COLOURS[1], label="ideal")
    (seen,) = counts.nonzero()
    axes.semilogy(
        (seen - reach) * cell,
        counts[seen] / (samples * cell),
        ".",
        color=COLOURS[0],
        label=f"samples, in cells of {cell}",
    )
    axes.set(
        title="FACCT, sigma = 215: 10^9 samples and the ideal",
        xlabel="sample",
        ylabel="probability of a value",
        xlim=(-1500, 1500),
        ylim=(1e-12, 1e-2),
    )
    axes.legend()


def draw_throughput(figure, record):
    """Speed relative to the peer in the same run, one bar for each instruction set."""
    axes = figure.subplots()
    drawn = [row for row in ROWS if row.drawn]
    for k, tier in enumerate(("portable", "avx2", "avx512", "amx")):
        bars = []
        for at, row in enumerate(drawn):
            # Big numbers have a name of their own for their part of an instruction set.
            names = [tier, "ifma"] if tier == "avx512" else [tier]
            found = [
                record[name]
                for name in (row.id.replace("{best}", name) for name in names)
                if name in record
            ]
            bars += (
                [(at + 0.2 * (k - 1.5), rate(found[0]) / rate(find(record, row.peer[1])))]
                if found
                else []
            )
        if bars:
            axes.barh(*zip(*bars), height=0.17, color=COLOURS[k], label=tier)
    axes.axvline(1)
    axes.set_yticks(range(len(drawn)), [row.drawn for row in drawn])
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.set(
        title="Speed relative to a peer (= 1) in the same run, one thread",
        xlabel="times the peer's speed",
        xscale="log",
        xlim=(0.1, 100),
    )
    axes.legend()


def draw_proofs(figure, _):
    """Bytes for 2^6 to 2^18 ternary columns, and the time to prove and to check."""
    left, right = figure.subplots(1, 2)
    logs = range(6, 19)
    all_params = [program("estimate", "--optimise", "--b", 1, "--l", 1 << log) for log in logs]
    for k, (name, key) in enumerate(
        (("proof", "proof_bytes"), ("statement (T)", "statement_bytes"))
    ):
        left.semilogy(
            logs, [params[key] / 1e6 for params in all_params], "o-", color=COLOURS[k], label=name
        )
    timed, runs, times = range(6, 16), 5, []
    for params in all_params[: len(timed)]:
        with tempfile.TemporaryDirectory() as folder:
            files = ["--statement", f"{folder}/s", "--proof", f"{folder}/p"]
            names = ("lambda", "w", "r", "v", "l", "n", "b", "sigma", "round_w", "round_t")
            pathlib.Path(folder, "params.json").write_text(
                json.dumps({name: params[name] for name in names})
            )
            proving = checking = attempts = 0
            for _ in range(runs):
                proved = program("prove", "--params", f"{folder}/params.json", *files)
                proving, attempts = (
                    proving + proved["seconds"]["prove"],
                    attempts + proved["attempts"],
                )
                checking += program("verify", *files)["seconds"]["verify"]
            times.append((params["rho"] * proving / attempts * 1e3, checking / runs * 1e3))
    for k, name in enumerate(("prove, mean attempts", "verify")):
        right.semilogy(timed, [pair[k] for pair in times], "o-", color=COLOURS[k], label=name)
    for axes, title in ((left, "Megabytes"), (right, "Milliseconds, all threads")):
        axes.set(title=title, xlabel="log2 of the number of columns")
        axes.legend()


def draw_security(figure, _):
    """Bits of binding by r, and of hiding by v - r, with v and w of the preset T4-128."""
    preset = program("estimate", "--preset", "T4-128")
    w, v, l = (preset[name] for name in "wvl")
    all_r = range(600, 1701, 50)
    rated = [program("estimate", "--w", w, "--r", r, "--v", v, "--l", l, "--b", 1) for r in all_r]
    left, right = figure.subplots(1, 2, sharey=True)
    left.plot(all_r, [bits["sis_classical"] for bits in rated], COLOURS[0], label="SIS")
    left.set(title=f"Binding (T4-128 has r = {preset['r']})", xlabel="r", ylabel="bits")
    right.plot(
        [v - r for r in all_r],
        [bits["hiding_classical"] for bits in rated],
        COLOURS[0],
        label="LWE",
    )
    right.set(title=f"Hiding (T4-128 has v - r = {v - preset['r']})", xlabel="v - r")
    for axes in (left, right):
        axes.axhline(128)
        axes.legend()


COLOURS = ("#4285d4", "#e07a34", "#40a060", "#b058be")


def draw(record, folder):
    """No background and middle tones, so that they can be read on light and on dark pages."""
    import matplotlib

    grey = "#80848c"
    colours = {
        key: grey
        for key in matplotlib.rcParams
        if key.endswith(".color") and key.startswith(("text", "xtick", "ytick"))
    }
    matplotlib.rcParams.update(colours)
    matplotlib.rcParams.update(
        {
            "axes.edgecolor": grey,
            "axes.grid": True,
            "axes.labelcolor": grey,
            "axes.titlecolor": grey,
            "grid.alpha": 0.25,
            "grid.color": grey,
            "legend.frameon": False,
            "lines.color": grey,
            "svg.fonttype": "none",
            "svg.hashsalt": "",
            "font.family": "sans-serif",
            "savefig.transparent": True,
        }
    )
    from matplotlib.figure import Figure

    _, record = read_record(record)
    for name, picture in (
        ("histogram", draw_histogram),
        ("throughput", draw_throughput),
        ("proofs", draw_proofs),
        ("security", draw_security),
    ):
        figure = Figure(figsize=(9, 4.6), layout="constrained")
        picture(figure, record)
        figure.savefig(pathlib.Path(folder, f"{name}.svg"), metadata={"Date": None})


def main():
    match sys.argv[1:]:
        case ["record", folder, date]:
            write_record(folder, date)
        case ["check"]:
            # Renamed benches are found before they are measured.
            table({name: Measurement(1, 1, "elements") for name in sys.stdin.read().splitlines()})
        case ["readme", record, readme]:
            update_readme(record, readme)
        case ["pictures", record, folder]:
            draw(record, folder)
        case _:
            sys.exit(__doc__)


main()
