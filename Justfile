# `just --list` shows the recipes.

# All checks of a change
check:
    .ci/run

# The service on 127.0.0.1:8080; flags as in `bestmove serve --help`
serve *flags:
    cargo run --release -- serve {{flags}}

# All tests
test:
    cargo test

# Benchmark behind the figures of the service
bench:
    cargo bench --bench service

# Regenerate the contract from the code
openapi:
    cargo run --quiet -- openapi > openapi.yaml.new
    mv openapi.yaml.new openapi.yaml

# Licences, advisories and sources of the dependencies
deny:
    cargo deny check
