"""Twenty of the pairs that John Tromp publishes, so that they are at hand everywhere.

From https://github.com/tromp/ChessPositionRanking, commit e6fc7cd, `sortedRnd1kRanks` and
`sortedRnd1kFENs`; MIT licence, copyright 2021 John Tromp. Those with castling rights, with a
capture in passing and with a large multiplicity among the 1,000, and some others; then the example
of its README with the largest multiplicity.
"""

from typing import Final

SIZE: Final = 8726713169886222032347729969256422370854716254

PAIRS: Final = [
    (
        1235387489511077612093288224204594519773217797,
        "2r3q1/3p1qR1/1n1r1pn1/R1qB2N1/7q/NbrN3Q/RK1PQP2/1nn2kB1 w - - 1 2",
    ),
    (
        1579934494835239866433585537289353223326180058,
        "b3rnNr/2pNn1pp/6pP/Q1q1Q2P/1K2prp1/k1P1b2Q/1R3R2/4R2B w - - 1 2",
    ),
    (
        1639163113504993356895670090249625402890920242,
        "q1R1K3/6p1/p1N1nNqp/P3R1rB/2b1n1bP/1r4Pq/qr2P1B1/rk4QN w - - 0 3",
    ),
    (
        2755986234145111288947634429521356668602288619,
        "1r2B1n1/N2bn3/2rPQp2/2pq2rp/1rb3PP/2PPRk2/1R5q/NK2r1BQ w - - 0 1",
    ),
    (
        3629763401038890785574071977623217800401337977,
        "r1KNr3/bp1n4/4P2Q/3Bp1pk/BBNb3p/1Pq3P1/2b1P3/2RRRbR1 w - - 0 3",
    ),
    (
        4150849117641492050758059422336707069349145778,
        "RN5n/2p1Q2b/2QkBK2/P2rPP2/RpR3Rp/2b5/2Brr1Q1/n1NN2q1 w - - 0 1",
    ),
    (
        4316123444959967807686909698036310525003527584,
        "B6n/k7/1K3RP1/1Bn1p3/Bp1qP1rp/2prP1p1/1PPq1QPR/NNbB4 w - - 1 4",
    ),
    (
        4319395319477810972192262863824190493039888073,
        "1NbBn1n1/Qn6/R3p1B1/1K1bRpP1/1n1BB3/n1PN1k2/nqr4r/3b2r1 w - f6 0 1",
    ),
    (
        4330282670785659681898565044729425434944646161,
        "b1RNqR2/1p5q/BP6/b2pP3/1p1Q3n/1QKkqN1N/2Q2B2/rb1b1rR1 w - d6 0 1",
    ),
    (
        4334579389448494525937077885587338078789605697,
        "1Q1q4/qp3B1b/KQ3pk1/1pQpPQ1P/1NnB2b1/5R2/1r2rn1P/1R5R w - d6 0 1",
    ),
    (
        4339817878676496772107226703219710428013027389,
        "RN2b3/2bKQq2/5k2/4QPp1/1NQN3r/RNn3P1/2bq3q/Rn1Br1bQ w - g6 0 1",
    ),
    (
        4347424590643912784261469932099950273821364546,
        "1n3b2/5QN1/1B1R1P1P/NPpBqB1P/r1Qr1Kb1/2q1pk2/bQN5/5R1n w - c6 0 1",
    ),
    (
        4353647458622232609703438530993429850150198595,
        "r2Qkrrn/Pn2p3/3B1rKp/2P4p/1BR1P1P1/1R4N1/N3p1Nb/2r1Q1b1 w q - 0 1",
    ),
    (
        4356817952190004849808640615345362065464145197,
        "2q1q2q/1r1B2N1/ppq2q2/P3k1r1/Q2bpN1R/N5b1/1R1pR2n/R2nKR2 w Q - 0 1",
    ),
    (
        5047394317863365965172274554245497460631278864,
        "3n2qb/4P3/pprrR2P/1NB1PQ1n/4bq1N/N3q1n1/nk1NR3/3K2q1 b - - 0 1",
    ),
    (
        5564933492733157049705545738601270398380869287,
        "N3B2n/b2b3p/4qQQ1/P1R1K2k/RB4q1/4rP1b/rbRnq1Nb/4Bb2 b - - 0 1",
    ),
    (
        5607357140664081634879466941183658757503957944,
        "3RQ3/bRB2PB1/kb3Krq/1n4Pp/n2qr1n1/2p1n2N/1Q1pN2B/Q5r1 b - - 0 1",
    ),
    (
        7128067799168984901021046407279155101656675959,
        "B1B2q1Q/7n/1p1bKQ2/pP2p3/3rppP1/P3RPQp/2pbPrNk/1R3n2 b - - 2 4",
    ),
    (
        8686186724060380137654941364776065067846290128,
        "1r2N1B1/1Np2K1R/pq2rQn1/nN4pr/k3bBpP/8/BN4N1/b4Qq1 b - h3 0 1",
    ),
    (
        8715772383382480691077746569336059320294860070,
        "r1b1k3/nQN3n1/n2Q2Rn/2N1KRb1/Q3N1B1/n4rb1/b3P1qN/2r2B1B b q - 0 1",
    ),
    (
        4363356584943110212154534698526026458664867108,
        "r3kb1r/ppp1pp1p/3p4/5PpP/8/8/PPPPP1P1/RNBQKBNR w KQkq g6 99 140",
    ),
]
