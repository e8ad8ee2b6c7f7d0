(* Plays chess by the definitions of Chess.v, for the comparison with python-chess.

   Nothing here decides anything about chess: it reads positions and moves, asks the extracted
   definitions, and prints their answers. A command a line, an answer a line:

     moves FEN         each legal move as UCI=SAN=FEN after it, sorted, after C M S for check, mate,
                       stalemate; the FEN has no number of the move
     all FEN           each legal move in UCI, sorted, of all 20,480 that could be in any position
     perft DEPTH FEN   the number of leaves
     game UCI ...      for each ply from the initial position: how often the position has appeared,
                       and the draws that end the game, 5 for fivefold and 7 for 75 moves; in the end
                       the strings of all moves; or "illegal" and the ply, from 1 *)
open Chess

let line_of = function
  | 'a' | '1' -> L1 | 'b' | '2' -> L2 | 'c' | '3' -> L3 | 'd' | '4' -> L4
  | 'e' | '5' -> L5 | 'f' | '6' -> L6 | 'g' | '7' -> L7 | 'h' | '8' -> L8
  | c -> failwith (Printf.sprintf "no file or rank: %c" c)
let index = function L1 -> 0 | L2 -> 1 | L3 -> 2 | L4 -> 3 | L5 -> 4 | L6 -> 5 | L7 -> 6 | L8 -> 7
let every_line = [ L1; L2; L3; L4; L5; L6; L7; L8 ]
let square_at text i = (line_of text.[i], line_of text.[i + 1])
let square_name (f, r) = Printf.sprintf "%c%d" "abcdefgh".[index f] (index r + 1)

let letters =
  [ ('p', Pawn); ('n', Knight); ('b', Bishop); ('r', Rook); ('q', Queen); ('k', King) ]
let kind_of c = List.assoc c letters
let letter_of k = fst (List.find (fun (_, j) -> j = k) letters)

let move_of uci =
  let promotion = if String.length uci > 4 then Some (kind_of uci.[4]) else None in
  { origin = square_at uci 0; destination = square_at uci 2; promotion }
let uci_of m =
  let suffix = match m.promotion with None -> "" | Some k -> String.make 1 (letter_of k) in
  square_name m.origin ^ square_name m.destination ^ suffix

let board_of text =
  let ranks = Array.of_list (String.split_on_char '/' text) in
  let stands = Array.make_matrix 8 8 None in
  Array.iteri (fun row men ->
      let f = ref 0 in
      String.iter (fun c ->
          if c >= '1' && c <= '8' then f := !f + Char.code c - 48
          else begin
            let color = if c = Char.uppercase_ascii c then White else Black in
            stands.(!f).(7 - row) <- Some (color, kind_of (Char.lowercase_ascii c));
            incr f
          end) men) ranks;
  table (fun f -> table (fun r -> stands.(index f).(index r)))

let position_of fen =
  match String.split_on_char ' ' fen with
  | men :: turn :: castling :: passed :: rest ->
      let may c = String.contains castling c in
      { men = board_of men;
        turn = (if turn = "w" then White else Black);
        castling = { white_short = may 'K'; white_long = may 'Q';
                     black_short = may 'k'; black_long = may 'q' };
        passed = (if passed = "-" then None else Some (square_at passed 0));
        clock = (match rest with clock :: _ -> int_of_string clock | [] -> 0) }
  | _ -> failwith ("no FEN: " ^ fen)

let fen_rank p r =
  let out = Buffer.create 8 in
  let gap = ref 0 in
  let flush () = if !gap > 0 then Buffer.add_string out (string_of_int !gap); gap := 0 in
  List.iter (fun f ->
      match on p.men (f, r) with
      | None -> incr gap
      | Some (c, k) ->
          flush ();
          let l = letter_of k in
          Buffer.add_char out (if c = White then Char.uppercase_ascii l else l)) every_line;
  flush ();
  Buffer.contents out
let fen_of p =
  let rights = List.filter_map (fun (has, l) -> if has then Some l else None)
      [ (p.castling.white_short, "K"); (p.castling.white_long, "Q");
        (p.castling.black_short, "k"); (p.castling.black_long, "q") ] in
  String.concat " "
    [ String.concat "/" (List.rev_map (fen_rank p) every_line);
      (if p.turn = White then "w" else "b");
      (if rights = [] then "-" else String.concat "" rights);
      (match p.passed with None -> "-" | Some s -> square_name s);
      string_of_int p.clock ]

let sorted_words words = String.concat " " (List.sort compare words)
let escaped fen = String.map (fun c -> if c = ' ' then '_' else c) fen

let answer_moves p =
  let flag test letter = if test then letter else "" in
  let one m =
    String.concat "=" [ uci_of m; "\"" ^ print (write p m) ^ "\""; escaped (fen_of (play p m)) ] in
  Printf.sprintf "%s%s%s; %s"
    (flag (in_check p.men p.turn) "C") (flag (checkmate p) "M") (flag (stalemate p) "S")
    (sorted_words (List.map one (own_moves p)))

let rec perft depth p =
  let legal_moves = own_moves p in
  if depth = 1 then List.length legal_moves
  else List.fold_left (fun leaves m -> leaves + perft (depth - 1) (play p m)) 0 legal_moves

let answer_game ucis =
  let rec go p past ply said strings = function
    | [] -> String.concat " " (List.rev (said_of p past said)) ^ "; "
            ^ String.concat " " (List.rev strings)
    | uci :: rest ->
        let m = move_of uci in
        if not (legal p m) then Printf.sprintf "illegal %d" ply
        else go (play p m) (p :: past) (ply + 1) (said_of p past said)
            (print (write p m) :: strings) rest
  and said_of p past said =
    let times = 1 + List.length (List.filter (repeats p) past) in
    Printf.sprintf "%d%s%s" times (if fivefold p past then "f" else "")
      (if seventy_five p then "s" else "") :: said
  in
  go initial [] 1 [] [] ucis

let answer line =
  match String.index_opt line ' ' with
  | None -> failwith ("no command: " ^ line)
  | Some i ->
      let rest = String.sub line (i + 1) (String.length line - i - 1) in
      (match String.sub line 0 i with
       | "moves" -> answer_moves (position_of rest)
       | "all" ->
           let p = position_of rest in
           sorted_words (List.map uci_of (List.filter (legal p) moves))
       | "perft" ->
           let j = String.index rest ' ' in
           string_of_int (perft (int_of_string (String.sub rest 0 j))
               (position_of (String.sub rest (j + 1) (String.length rest - j - 1))))
       | "game" -> answer_game (String.split_on_char ' ' rest)
       | command -> failwith ("no command: " ^ command))

let () =
  try while true do print_endline (answer (input_line stdin)); flush stdout done
  with End_of_file -> ()
