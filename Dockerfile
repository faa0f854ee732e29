# By digest, so that every build begins with the same bytes. Another: docker buildx imagetools inspect rust:1.95-slim-bookworm
ARG BASE=rust:1.95-slim-bookworm@sha256:d7482085ff5b415f84dba5647ae71606650bdef00db7aeb69f4b3d170c3e4082

# Dependencies are a separate layer: a change of the sources alone does not rebuild them.
FROM ${BASE} AS chef
RUN cargo install cargo-chef --version ^0.1 --locked
WORKDIR /build

FROM chef AS plan
COPY . .
RUN cargo chef prepare --bin bestmove --recipe-path recipe.json

FROM chef AS build
COPY --from=plan /build/recipe.json recipe.json
RUN cargo chef cook --release --locked --no-default-features --features nats --package bestmove --bin bestmove --recipe-path recipe.json
COPY . .
ARG REVISION=unknown
# The program, and what it links to, where the loader looks for it.
RUN BESTMOVE_COMMIT="${REVISION}" cargo build --release --locked --no-default-features --features nats --package bestmove --bin bestmove \
    && mkdir -p /image/usr/local/bin /data \
    && cp target/release/bestmove /image/usr/local/bin/ \
    && strip /image/usr/local/bin/bestmove \
    && ldd target/release/bestmove | grep -o '/[^ ]*' | xargs -I{} cp --parents --dereference {} /image

# Nothing else: no shell, no packages. glibc, not musl: the program has its own allocator, but every thread uses the
# rest of the libc.
FROM scratch AS runtime
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="bestmove" \
      org.opencontainers.image.description="A game-AI service: POST a position, get the best move, its principal variation and a rating of every move" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /image /
# For a volume with jobs. The user owns nothing else, and nothing else is written.
COPY --from=build --chown=10001:10001 /data /data
# Numeric: there is no file of names.
USER 10001:10001
ENV BESTMOVE_LISTEN=0.0.0.0:8080 \
    BESTMOVE_PROBE_LISTEN=0.0.0.0:8081 \
    BESTMOVE_LOG_FORMAT=json
EXPOSE 8080 8081
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s --retries=3 \
    CMD ["/usr/local/bin/bestmove", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/bestmove"]
CMD ["serve"]
