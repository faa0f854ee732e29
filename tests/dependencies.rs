//! Dependencies are what `deny.toml` allows: licences and sources, without a tool to install. `cargo deny check` says
//! the same and more.

use std::process::Command;

use serde_json::Value;
use spdx::{Expression, LicenseItem};

/// All packages of the service on Linux, as Cargo resolves them.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    metadata["packages"].as_array().expect("packages").clone()
}

/// Licences that `deny.toml` allows.
fn allowed() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/deny.toml");
    let rules: toml::Table = std::fs::read_to_string(path).expect("text").parse().expect("TOML");
    let allowed = rules["licenses"]["allow"].as_array().expect("a list").iter();
    allowed.map(|name| name.as_str().expect("a name").to_owned()).collect()
}

fn is_allowed(licence: &str, allowed: &[String]) -> bool {
    let expression = Expression::parse_mode(licence, spdx::ParseMode::LAX);
    let expression = expression.unwrap_or_else(|why| panic!("{licence}: {why}"));
    expression.evaluate(|request| match &request.license {
        LicenseItem::Spdx { id, .. } => {
            request.exception.is_none() && allowed.iter().any(|name| name == id.name)
        }
        LicenseItem::Other { .. } => false,
    })
}

#[test]
fn every_dependency_has_a_licence_and_a_source_that_is_allowed() {
    let (allowed, packages) = (allowed(), packages());
    assert!(packages.len() > 100, "{} packages", packages.len());
    for package in &packages {
        let (name, licence) = (&package["name"], package["license"].as_str());
        assert!(
            licence.is_some_and(|licence| is_allowed(licence, &allowed)),
            "{name}: {licence:?}"
        );
        let source = package["source"].as_str();
        assert!(source.is_none_or(|source| source.starts_with("registry+")), "{name}: {source:?}");
    }
}

#[test]
fn every_licence_that_is_allowed_is_needed() {
    let (allowed, packages) = (allowed(), packages());
    let licences: Vec<_> =
        packages.iter().filter_map(|package| package["license"].as_str()).collect();
    for name in &allowed {
        let others: Vec<_> = allowed.iter().filter(|other| *other != name).cloned().collect();
        let needed = licences.iter().any(|licence| !is_allowed(licence, &others));
        assert!(needed, "no dependency needs `{name}`");
    }
}
