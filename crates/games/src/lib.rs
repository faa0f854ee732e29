//! The games, one folder each: rules, evaluator, notation, tests. Independent of the search.

pub mod notation;

pub mod connect4;
pub mod easycard;
pub mod files;
pub mod genius;
pub mod gomoku;
pub mod gomoku_swap2;
pub mod nim;
pub mod openings;
pub mod othello;
pub mod snake_go;
pub mod tictactoe;
pub mod tree;
pub mod two_eat_one;
pub mod xiangqi;
