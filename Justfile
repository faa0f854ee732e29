# `just --list` shows the recipes.

# Everything that a change must pass
check:
    .ci/run

# The service on 127.0.0.1:8080; flags as in `bestmove serve --help`
serve *flags:
    cargo run --release -- serve {{flags}}

# All tests
test:
    cargo test

# What the README's figures come from
bench:
    cargo bench --bench service

# The contract, written anew from the code
openapi:
    cargo run --quiet -- openapi > openapi.yaml.new
    mv openapi.yaml.new openapi.yaml

# Licences, advisories and sources of the dependencies
deny:
    cargo deny check
