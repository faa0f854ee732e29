//! The command line.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::panic::catch_unwind;
use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::Duration;

use clap::{Parser, Subcommand};
use engine::search::STACK;
use protocols::{pbrain, uci};

use crate::config::{Config, ListenAddress, ListenAddresses};
use crate::log;

/// The version, with the commit where it is known.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let commit = crate::COMMIT.map(|commit| format!(" ({commit})"));
    format!("{}{}", env!("CARGO_PKG_VERSION"), commit.unwrap_or_default())
});

/// Game AI over HTTP: POST a position, get the best move and a rating of every move.
#[derive(Debug, Parser)]
#[command(version = VERSION.as_str(), about, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<CliCommand>,

    /// Settings of `serve`, the default without a subcommand
    #[command(flatten)]
    config: Config,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    /// Serve over HTTP
    Serve {
        #[command(flatten)]
        config: Box<Config>,
    },
    /// Speak UCI on standard input and output, as an engine for graphical clients
    Uci(uci::Engine),
    /// Speak UCCI, the protocol of xiangqi programs
    Ucci(uci::Engine),
    /// Play gomoku for managers that speak the protocol of Gomocup (piskvork)
    Pbrain,
    #[cfg(feature = "lab")]
    #[command(flatten)]
    Lab(lab::Command),
    /// Print the HTTP contract (OpenAPI, as YAML)
    Openapi,
    /// Check the health of a running service; exit status 0 if healthy
    Healthcheck {
        /// Where the service listens; the first of several is asked
        #[arg(
            long,
            env = "BESTMOVE_LISTEN",
            default_value = "127.0.0.1:8080",
            value_name = "ADDRS"
        )]
        listen: ListenAddresses,
        /// Where it answers probes; asked instead, if there are any
        #[arg(long, env = "BESTMOVE_PROBE_LISTEN", default_value = "none", value_name = "ADDRS")]
        probe_listen: ListenAddresses,
    },
}

/// Timeout of each step of a health check.
const PATIENCE: Duration = Duration::from_secs(2);

impl Cli {
    /// Runs the command.
    pub fn run(self) -> ExitCode {
        match self.command {
            None => serve(&self.config),
            Some(CliCommand::Serve { config }) => serve(&config),
            Some(CliCommand::Uci(engine)) => converse(&engine, uci::Dialect::Uci),
            Some(CliCommand::Ucci(engine)) => converse(&engine, uci::Dialect::Ucci),
            Some(CliCommand::Pbrain) => done(pbrain::run(std::io::stdin(), std::io::stdout())),
            #[cfg(feature = "lab")]
            Some(CliCommand::Lab(command)) => {
                done(command.run(&mut std::io::stdout(), &crate::jobs::command::QueueRunner))
            }
            Some(CliCommand::Openapi) => {
                printed(std::io::stdout().write_all(crate::http::openapi::yaml().as_bytes()))
            }
            Some(CliCommand::Healthcheck { listen, probe_listen }) => {
                match probe_listen.0.first().or_else(|| listen.0.first()) {
                    Some(address) => match healthcheck(address) {
                        Ok(()) => ExitCode::SUCCESS,
                        Err(why) => fail(&format!("{address} is not healthy: {why}")),
                    },
                    None => fail("there is no address to ask"),
                }
            }
        }
    }
}

fn fail(why: &str) -> ExitCode {
    // Standard error may be closed; nothing can be done about it.
    let _ = writeln!(std::io::stderr(), "bestmove: {why}");
    ExitCode::FAILURE
}

fn converse(engine: &uci::Engine, dialect: uci::Dialect) -> ExitCode {
    done(engine.run(dialect, std::io::stdin().lock(), std::io::stdout()))
}

fn done(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => fail(&why),
    }
}

fn printed(result: std::io::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => fail(&format!("cannot print: {why}")),
    }
}

fn serve(config: &Config) -> ExitCode {
    if let Err(why) = log::start(config) {
        return fail(&why);
    }
    // The log tells of a panic, too.
    let code = catch_unwind(|| served(config));
    #[cfg(feature = "otlp")]
    crate::otlp::finish();
    log::finish();
    code.unwrap_or(ExitCode::FAILURE)
}

fn served(config: &Config) -> ExitCode {
    let catalog = match config.calibrations.catalog() {
        Ok(catalog) => catalog,
        Err(why) => return fail(&why),
    };
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.enable_all().thread_stack_size(STACK).build();
    let serve = || crate::http::serve(catalog, config.clone());
    let served = runtime.and_then(|runtime| runtime.block_on(serve()));
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => fail(&format!("cannot serve: {why}")),
    }
}

/// Asks `/healthz` by hand: a container has no curl, and one request needs no client library.
fn healthcheck(address: &ListenAddress) -> Result<(), String> {
    let answer = match address {
        ListenAddress::Tcp(name) => connect(name).and_then(|stream| ask(stream, name)),
        ListenAddress::Unix(path) => UnixStream::connect(path).and_then(|stream| {
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.set_write_timeout(Some(PATIENCE))?;
            ask(stream, "localhost")
        }),
        ListenAddress::Systemd => return Err("only the service manager knows its address".into()),
    };
    let answer = answer.map_err(|why| why.to_string())?;
    let status = answer.lines().next().unwrap_or_default();
    if status.contains(" 200 ") { Ok(()) } else { Err(format!("it answered `{status}`")) }
}

fn connect(name: &str) -> std::io::Result<TcpStream> {
    let mut last = Err(std::io::ErrorKind::NotFound.into());
    for mut target in name.to_socket_addrs()? {
        if target.ip().is_unspecified() {
            target.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
        }
        last = TcpStream::connect_timeout(&target, PATIENCE);
        if last.is_ok() {
            break;
        }
    }
    let stream = last?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    Ok(stream)
}

fn ask(mut stream: impl Read + Write, host: &str) -> std::io::Result<String> {
    write!(stream, "GET /healthz HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}
