"""Misuse of frames gets a sentence: what is wrong, where, and what to do."""

import threading

import numpy
import pandas
import polars
import pyarrow as pa
import pytest

import quell as q

FIRMS = {
    "region": ["N1"] * 3 + ["N2"] * 4 + ["S1"] * 5,
    "turnover": [900, 20, 30, 70, 80, 65, 72, 11, 14, 9, 12, 16],
}


def protect(frame, response="turnover", rules=None, **job):
    made = q.Job(frame, dimensions={"region": None}, **job).table(["region"], response)
    return made.rules(rules or q.p_percent(10)).protect()


def without_region(place):
    return {**FIRMS, "region": [None if row == place else code for row, code in enumerate(FIRMS["region"])]}


@pytest.mark.parametrize(
    "misuse,words",
    [
        (lambda: protect(pa.table({"regoin": FIRMS["region"], "turnover": FIRMS["turnover"]})), "regoin"),
        (lambda: protect(pa.table(FIRMS), response="turnovr"), "turnover"),
        (lambda: protect(pa.table({**FIRMS, "turnover": FIRMS["region"]})), "N1"),
        (lambda: protect(polars.DataFrame({**FIRMS, "turnover": [[1]] * 12})), "turnover"),
        (lambda: protect(polars.DataFrame({**FIRMS, "region": [{"a": 1}] * 12})), "region"),
        (lambda: protect(pa.table(without_region(4))), "record 5"),
        (lambda: protect(polars.DataFrame(without_region(4))), "record 5"),
        (lambda: protect(pandas.DataFrame(without_region(4))), "record 5"),
        (lambda: protect(pa.table({**FIRMS, "w": [1.0] * 6 + [-2.0] + [1.0] * 5}), weight="w"), "record 7"),
        (lambda: protect(pa.table({**FIRMS, "w": ["heavy"] * 12}), weight="w"), "heavy"),
        (lambda: protect(pa.table({**FIRMS, "turnover": [float("inf")] * 12})), "turnover"),
        (lambda: protect(pa.table({**FIRMS, "turnover": [2**62] * 12})), "turnover"),
        (lambda: protect(polars.DataFrame({"region": [], "turnover": []}, schema={"region": str, "turnover": int})), "no records"),
        (lambda: protect(numpy.zeros((3, 2))), "Arrow"),
        (lambda: protect({"region": ["N"], "turnover": [1]}), "Arrow"),
        (lambda: protect(pa.table(FIRMS), respondent="firm"), "firm"),
        (lambda: q.Micro(pa.table(FIRMS), keys="region"), "list"),
        (lambda: q.Rules.of(3), "no rule"),
        (lambda: q.generate("t.jj", "cube"), "cube"),
        (lambda: q.generate("t.jj", "herrington", [3]), "two dimensions"),
    ],
)
def test_misuse_gets_a_sentence(misuse, words):
    with pytest.raises(q.QuellError) as wrong:
        misuse()
    error = wrong.value
    assert words in f"{error.where} {error}", str(error)
    assert error.advice and "panicked" not in str(error) and "called `" not in str(error)
    assert not isinstance(error, q.InternalError)


def test_a_frame_that_changes_under_way_gives_a_result_or_a_sentence():
    """pandas lends its numbers without a copy, so another thread can change them while they are read."""
    values = numpy.array(FIRMS["turnover"] * 20_000, dtype="float64")
    frame = pandas.DataFrame({"region": FIRMS["region"] * 20_000}).assign(turnover=pandas.Series(values, copy=False))
    done = threading.Event()

    def change():
        number = 0
        while not done.is_set():
            number += 1
            values[:] = number * 1.25 if number % 3 else numpy.nan

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(3):
            try:
                assert protect(frame, rules=q.frequency(3)).is_safe
            except q.QuellError as error:
                assert not isinstance(error, q.InternalError) and error.advice
    finally:
        done.set()
        thread.join()
