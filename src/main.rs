//! The program: reads the command line and does what it says.

use std::process::ExitCode;

use bestmove::cli::Cli;
use clap::Parser;

/// Searches allocate from many threads; the system's allocators are slow at that, musl's most.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    Cli::parse().run()
}
