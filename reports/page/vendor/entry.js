// What the page takes from the two libraries, under one name for classic scripts.
import { Chessground } from "@lichess-org/chessground";
import { Chess } from "chessops/chess";
import { chessgroundMove } from "chessops/compat";
import { makeFen, parseFen } from "chessops/fen";
import { makeSanAndPlay, parseSan } from "chessops/san";
import { makeSquare, parseUci } from "chessops/util";

globalThis.sanproofChess = {
  Chess,
  Chessground,
  chessgroundMove,
  makeFen,
  makeSanAndPlay,
  makeSquare,
  parseFen,
  parseSan,
  parseUci,
};
