"""Texts that are no strings, and what is meant."""

WAYS = {
    "e8=Q": ["e8=q", "e8(Q)", "e8Q", "e7e8q", "e7-e8=Q"],
    "e8=N+": ["e8/N+"],
    "exd8=Q#": ["exd8q#"],
    "e4": ["e2-e4", "e2\u2013e4", "e2 - e4", "E4", "Pe4", "♙e4", "1.e4", "e4 ", "\te4\n", "e4$1"],
    "Nf3": ["Ng1-f3", "NF3", "Nf3!?", "nf3", "♘f3", "♞f3"],
    "Nf3+": ["ng1-f3+"],
    "Qxe3": ["QXE3", "♕xe3", "♛xe3"],
    "Ke2": ["♔e2", "♚e2"],
    "Ra3": ["♖a3", "♜a3"],
    "b3": ["B3"],
    "Nbd2": ["NBD2"],
    "Bb5": ["BB5", "♗b5", "♝b5"],
    "O-O": ["0-0"],
    "O-O-O": ["0-0-0", "OOO"],
    "O-O#": ["o-o#"],
    "O-O-O+": ["0-0-0 +"],
    "Nxf3": ["N:f3", "N\u00d7f3"],
    "e5": ["♟e5"],
    "Nf6": ["12... Nf6"],
    "exd6": ["exd6 e.p.", "exd6ep"],
    "Qh4#": ["Qh4 mate", "Qh4‡", "Qh4+#"],
    "Qh4+": ["Qh4 check", "Qh4ch"],
    "exd8=Q": ["e7d8q"],
}
"""Ways to write a string."""
FORMS = {text: san for san, texts in WAYS.items() for text in texts}
SEVERAL = {
    "Nf3++": ("Nf3+", "Nf3#"),
    "exd8=Q++": ("exd8=Q+", "exd8=Q#"),
}
NOTHING = ("", "e4 e5", " ", "hello", "e9", "Zf3", "e4 x5", "1-0", "--", "e4" * 50)
