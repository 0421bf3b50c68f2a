# The steps are the README's: a Rust toolchain, then `cargo run --release`; here the building and the running are apart.
FROM rust:1.95-bookworm AS build
WORKDIR /quarantine
COPY . .
# rust-toolchain.toml names the target of the widget; where rustup does not install it by itself, this does.
RUN rustup target add wasm32-unknown-unknown
RUN cargo build --release --locked

FROM debian:bookworm-slim
RUN useradd --system --create-home --home-dir /var/lib/quarantine quarantine
COPY --from=build /quarantine/target/release/quarantine /usr/local/bin/quarantine
USER quarantine
WORKDIR /var/lib/quarantine
VOLUME /var/lib/quarantine
EXPOSE 8080
# Inside a container the loopback address is nobody's: publish the port on the host's own, as in
# `docker run -p 127.0.0.1:8080:8080 …`.
ENV QUARANTINE_LISTEN=0.0.0.0:8080 QUARANTINE_DATA=/var/lib/quarantine/data
CMD ["quarantine", "serve"]
