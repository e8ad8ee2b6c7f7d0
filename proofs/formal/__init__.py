"""The theorem in Coq. `Chess.v` has to be believed; the other files are proofs or make them."""
