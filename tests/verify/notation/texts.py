"""Texts that are like moves."""

from hypothesis import strategies as st

LIKELY = st.text(
    st.sampled_from("abchKQRBNPknqO0o-xX:=+#!?$().12389/ e.p♘♟\u2013\ufe0f"), max_size=12
)


@st.composite
def legacy_texts(draw: st.DrawFn) -> str:
    """Return a text of the tolerant grammar, in the forms of docs/notation.md."""
    piece = draw(st.sampled_from(["", "N", "n", "P", "q", "♗", "♝\ufe0e"]))
    square = st.builds("".join, st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("12345678")))
    origin = draw(st.one_of(st.sampled_from(["", "b", "g", "1", "8"]), square))
    signs = ["", "x", "X", ":"] + (["-", "\u2013"] if piece or origin else [])
    promotion = draw(st.sampled_from(["", "=Q", "q", "(R)", "/N", "=", " =B", "♕"]))
    move = piece + origin + draw(st.sampled_from(signs)) + draw(square) + promotion
    body = draw(st.sampled_from([move, "O-O", "0-0-0", "oo", "O\u2013O", "exd", "ed", "Pcxb(N)"]))
    number = draw(st.sampled_from(["", " ", "1.", "1 ", "12. ... ", "…", "7\t. "]))
    suffix = draw(st.sampled_from(["", "+", "#", "++", " +"]))
    mark = draw(st.sampled_from(["", " e.p.", "ep", "e.p"]))
    late = draw(st.sampled_from(["", "+", " ++", "#"])) if not suffix else ""
    tail = draw(st.sampled_from(["", "!", " ??", "!? $255", "$0 $19", " (=)", "$1(=) ", "\n"]))
    return number + body + suffix + mark + late + tail
