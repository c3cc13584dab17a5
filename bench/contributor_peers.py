#!/usr/bin/env python3
"""The same batches with many singletons by quell and by τ-ARGUS, whose engine is on PyPI.

    python3 -m venv peers && peers/bin/pip install pytauargus==0.6 scipy
    cargo build --release -p quell-cli
    peers/bin/python bench/contributor_peers.py [tables] [seed] [folder] [time] > contributor-peers.csv

With a time, such as 15s, quell has that for each table; else what the batch gives, five minutes.

Random two- and three-way tables of records, most inner cells with one or two contributors, every
second table with holdings. Both programs run the same batch (P(10,1), FREQ(3,20)), OPT and MOD in
turn. What each releases is attacked here by linear programs (scipy), which share no code with
either: by the outsider; by every contributor, who takes off what is his; and by τ-ARGUS' own rules
for a row of a table (two singletons alone, a singleton with one other, too few contributors in
all). One line per table and method.
"""

import csv
import itertools
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import linprog

ARGUMENTS = dict(enumerate(sys.argv[1:]))
TABLES = int(ARGUMENTS.get(0, 200))
SEED = int(ARGUMENTS.get(1, 1))
FOLDER = Path(ARGUMENTS.get(2, "/tmp/quell-contributors"))
TIME = ["--time", ARGUMENTS[3]] if 3 in ARGUMENTS else []
TARGET = os.environ.get("CARGO_TARGET_DIR", Path(__file__).resolve().parent.parent / "target")
QUELL = Path(os.environ.get("QUELL", Path(TARGET) / "release" / "quell"))
PEER = Path(sys.executable).parent / "tauargus"
METHODS = ("OPT(1,5)", "MOD(1,5,1,1,1)")
MINIMUM, TOTAL, NEAR = 3, "Total", 1e-4


def records(rng, dimensions):
    """Records as (codes, firm, amount); most inner cells have one or two."""
    sizes = [rng.randint(3, 6 if dimensions == 2 else 4) for _ in range(dimensions)]
    inner = itertools.product(*("abcdef"[:size] for size in sizes))
    firms = rng.randint(8, 30)
    return [
        (codes, rng.randrange(firms), max(1, int(rng.lognormvariate(4, 1.2))))
        for codes in inner
        for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 4, 6)))
    ]


def write_batch(folder, table, holdings, method):
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"D{number}" for number in range(1, len(table[0][0]) + 1)]
    lines = [f"{''.join(codes)}{amount:>7}{firm:>4}" for codes, firm, amount in table]
    (folder / "data.asc").write_text("\n".join(lines) + "\n")
    metadata = [f'{name} {place} 1 9\n  <RECODEABLE>\n  <TOTCODE> "{TOTAL}"'
                for place, name in enumerate(names, 1)]
    metadata.append(f"Amount {len(names) + 1} 7\n  <NUMERIC>\n  <DECIMALS> 0")
    if holdings:
        metadata.append(f"Firm {len(names) + 8} 4\n  <HOLDING>")
    (folder / "data.rda").write_text("\n".join(metadata) + "\n")
    quoted = "".join(f'"{name}"' for name in names)
    # With holdings, the rules are those on holdings: the third P and the second FREQ.
    rule = "P(0,1)|P(0,1)|P(10,1)|FREQ(0,0)|FREQ(3,20)" if holdings else "P(10,1)|FREQ(3,20)"
    (folder / "job.arb").write_text(
        '<OPENMICRODATA> "data.asc"\n<OPENMETADATA> "data.rda"\n'
        f'<SPECIFYTABLE> {quoted}|"Amount"||"Amount"\n<SAFETYRULE> {rule}\n'
        f'<READMICRODATA>\n<SUPPRESS> {method}\n<WRITETABLE> (1,5,,"out.tab")\n')


def released(folder, dimensions):
    """By codes: status letter, levels and value of each cell of the table that a program wrote."""
    cells = {}
    for line in (folder / "out.tab").read_text().splitlines():
        fields = [field.strip(' "') for field in line.split(";")]
        codes = tuple(code or TOTAL for code in fields[:dimensions])
        letter = next(field for field in fields[dimensions:] if field and field in "SUMPE")
        levels = [float(level or 0) for level in fields[-2:]] if letter == "U" else [0.0, 0.0]
        if letter != "E":
            cells[codes] = (letter, levels, float(fields[dimensions]))
    return cells


def parts_of(table, holdings):
    """Who contributes what to each cell, totals included: known from the records alone."""
    parts = {}
    for number, (codes, firm, amount) in enumerate(table):
        who = firm if holdings else number
        for shown in itertools.product(*((code, TOTAL) for code in codes)):
            own = parts.setdefault(shown, {})
            own[who] = own.get(who, 0) + amount
    return parts


def equations_of(cells):
    """Every line of the table: a total and its parts."""
    lines = {}
    for codes in cells:
        for place, code in enumerate(codes):
            total = (*codes[:place], TOTAL, *codes[place + 1:])
            lines.setdefault((place, total), []).append(codes)
    return [([(codes, 1 if codes != total else -1) for codes in line]) for (_, total), line in lines.items()]


class Attack:
    """What can be learnt of the hidden cells."""

    def __init__(self, parts, equations, hidden):
        self.parts, self.hidden = parts, sorted(hidden)
        self.place = {codes: place for place, codes in enumerate(self.hidden)}
        self.lines = [[one for one in line if one[0] in hidden] for line in equations]
        self.lines = [line for line in self.lines if line]
        self.matrix = np.zeros((len(self.lines), len(self.hidden)))
        for number, line in enumerate(self.lines):
            for codes, sign in line:
                self.matrix[number, self.place[codes]] = sign

    def room_down(self, codes, who, victim):
        """How far a cell can fall in someone's eyes; of the victim he knows what all know."""
        own = self.parts[codes]
        if codes == victim or who not in own:
            return sum(own.values())
        return 0 if len(own) == 1 else sum(own.values()) - own[who]

    def movement(self, victim, sign, who):
        """The farthest movement of a cell, as the changes of all hidden cells; None if unlimited."""
        target = np.zeros(len(self.hidden))
        target[self.place[victim]] = -sign
        bounds = []
        for codes in self.hidden:
            is_known = codes != victim and set(self.parts[codes]) == {who}
            bounds.append((-self.room_down(codes, who, victim), 0 if is_known else None))
        found = linprog(target, A_eq=self.matrix, b_eq=np.zeros(len(self.lines)), bounds=bounds, method="highs")
        return None if found.status == 3 else found.x

    def reaches(self, victim, sign, level, who=None):
        moved = self.movement(victim, sign, who)
        reached = moved is None or moved[self.place[victim]] * sign >= level - NEAR
        return reached, moved

    def refuters(self, victim, moved):
        """Those who know that a movement is not possible; all if it has no end."""
        everyone = {who for codes in self.hidden for who in self.parts[codes]}
        if moved is None:
            return everyone
        found = set()
        for codes, amount in zip(self.hidden, moved):
            for who in self.parts[codes] if codes != victim else ():
                alone = len(self.parts[codes]) == 1 and abs(amount) > NEAR
                if alone or -amount > self.room_down(codes, who, victim) + NEAR:
                    found.add(who)
        return found

    def level(self, victim, sign, level, who):
        """What a level asks in someone's eyes: nobody believes that a cell is less than his own part."""
        return min(level, sum(self.parts[victim].values()) - self.parts[victim].get(who, 0)) if sign < 0 else level

    def open_to(self, primaries):
        """Pairs (primary, attacker) in which a level is not reached; the outsider is None."""
        found = set()
        for victim, levels in primaries.items():
            for sign, level in zip((-1, 1), levels):
                reached, moved = self.reaches(victim, sign, level)
                if not reached:
                    found.add((victim, None))
                    continue
                for who in self.refuters(victim, moved):
                    asked = self.level(victim, sign, level, who)
                    if {who} != set(self.parts[victim]) and not self.reaches(victim, sign, asked, who)[0]:
                        found.add((victim, who))
        return found

    def rows_open(self, primaries):
        """Lines that the singleton rules of τ-ARGUS object to."""
        found = set()
        for line in self.lines:
            codes = frozenset(one for one, _ in line)
            counts = [len(self.parts[one]) for one in codes]
            together = set().union(*(self.parts[one] for one in codes))
            # A total that is hidden, too, is another row's.
            if len({sign for _, sign in line}) > 1 or not any(one in primaries for one in codes):
                continue
            known = len(together) == 1
            two = len(codes) == 2 and 1 in counts and all(one in primaries for one in codes)
            if not known and (two or len(together) < MINIMUM) or known and len(codes) > 1:
                found.add(codes)
        return found


def result(folder, parts, dimensions):
    cells = released(folder, dimensions)
    primaries = {codes: levels for codes, (letter, levels, _) in cells.items() if letter == "U"}
    hidden = {codes for codes, (letter, *_) in cells.items() if letter in "UM"}
    cost = sum(value for letter, _, value in cells.values() if letter == "M")
    return cells, primaries, hidden, cost


def main():
    out = csv.writer(sys.stdout)
    out.writerow("table,ways,holdings,method,cells,primaries,same_primaries,quell_code,quell_secondaries,"
                 "quell_cost,quell_outsider,quell_contributors,quell_rows,argus_secondaries,argus_cost,"
                 "argus_outsider,argus_contributors,argus_rows,argus_protects_quell_does_not".split(","))
    for number in range(TABLES):
        rng = random.Random(SEED * 1_000_003 + number)
        ways, holdings = 2 + number // 2 % 2, number % 2 == 1
        table = records(rng, ways)
        parts = parts_of(table, holdings)
        for method in METHODS:
            found = {}
            for program in ("quell", "argus"):
                folder = FOLDER / f"{number}-{method[:3]}-{program}"
                write_batch(folder, table, holdings, method)
                command = [QUELL, "argus", "run", *TIME] if program == "quell" else [PEER, "run"]
                done = subprocess.run([*command, "job.arb"], cwd=folder, capture_output=True, text=True)
                if not (folder / "out.tab").exists():
                    found[program] = None
                    print(f"{folder}: {done.stdout}{done.stderr}", file=sys.stderr)
                    continue
                cells, primaries, hidden, cost = result(folder, parts, ways)
                attack = Attack(parts, equations_of(cells), hidden)
                found[program] = (done.returncode, cells, primaries, hidden, cost,
                                  attack.open_to(primaries), attack.rows_open(primaries))
            if None in found.values():
                out.writerow([number, ways, holdings, method, *[
                    f"{program} wrote nothing" for program, one in found.items() if one is None]])
                continue
            (code, cells, ours, hidden, cost, pairs, lines) = found["quell"]
            (_, _, theirs, their_hidden, their_cost, their_pairs, their_lines) = found["argus"]
            left = {pair for pair in pairs - their_pairs if pair[0] in theirs}
            # A line of which the other hides more, or which it does not touch, is no line of its own.
            left_lines = [line for line in lines if line not in their_lines]
            outside = lambda pairs: sum(who is None for _, who in pairs)
            out.writerow([number, ways, int(holdings), method, len(cells), len(ours), int(ours.keys() == theirs.keys()), code,
                          len(hidden) - len(ours), cost, outside(pairs), len(pairs) - outside(pairs), len(lines),
                          len(their_hidden) - len(theirs), their_cost, outside(their_pairs),
                          len(their_pairs) - outside(their_pairs), len(their_lines), len(left) + len(left_lines)])
            sys.stdout.flush()


main()
