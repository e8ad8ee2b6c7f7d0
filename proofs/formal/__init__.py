"""The theorem in Coq. `Chess.v` is to be believed; what else stands here makes proofs or is one."""
