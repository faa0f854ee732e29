//! Entry point: parses the command line and runs the command.

use std::process::ExitCode;

use bestmove::cli::Cli;
use clap::Parser;

/// Global allocator: searches allocate from many threads; system allocators are slow at that, musl's most.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    Cli::parse().run()
}
