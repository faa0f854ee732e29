//! Protocols that clients talk over pipes: UCI and UCCI ([`uci`]), Gomocup ([`pbrain`]). They share how a
//! question is built (`question`), the search thread (`thinker`), time control (`timing`) and line-wise
//! input and output (`lines`).

pub mod lines;
pub mod pbrain;
mod question;
mod thinker;
mod timing;
pub mod uci;
