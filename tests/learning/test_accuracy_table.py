"""The table of accuracy in the documentation."""

from tools.accuracy import BEGIN, END, HEAD, keep


def test_a_row_that_another_process_wrote_meanwhile_is_kept(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}{END}after\n")
    for name, games in (("pig", 1), ("nim", 2), ("pig", 3)):
        keep(page, name, "| " + " | ".join([name, str(games)]) + " |")
    rows = page.read_text().split(BEGIN)[1].split(END)[0].splitlines()
    assert rows[0] == "| " + " | ".join(HEAD) + " |"
    assert rows[2:] == ["| nim | 2 |", "| pig | 3 |"]
    assert page.read_text().startswith("before\n")
    assert page.read_text().endswith("after\n")
