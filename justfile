# The verbs of the house, one line each. CI runs `.ci/run`, which runs the same commands.

# Everything that must hold before a change is handed in.
ci:
    bash .ci/run

# The tests, as the README says.
test *args:
    cargo test {{args}}

# Rewrite the expectations of the case files; the diff is the review.
update:
    UPDATE=1 cargo test -p countersign-corpus

# Formatting and lints.
lint:
    cargo fmt --all --check && cargo clippy --workspace --all-targets -- -D warnings

# The documentation, where a broken link is an error.
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# The smallest and fastest binaries, without a shared library: what belongs on a machine.
fast:
    RUSTFLAGS="-C target-feature=+crt-static -C relocation-model=static" cargo build --profile fast --target x86_64-unknown-linux-gnu -p countersign -p countersign-hooks

# All speeds, in one run on one core.
bench *args:
    taskset -c 0 cargo bench -p countersign-bench --bench speed -- {{args}}

# A hook process beside a bare program of the same make that reads the same JSON.
hook-speed:
    RUSTFLAGS="-C target-feature=+crt-static -C relocation-model=static" cargo build --profile fast --target x86_64-unknown-linux-gnu -p countersign-hooks --bin countersign-hook --example bare --example compare
    target/x86_64-unknown-linux-gnu/fast/examples/compare target/x86_64-unknown-linux-gnu/fast 400

# Verdict shares over recorded commands: `just measure FILE.jsonl --mode default`.
measure *args:
    cargo run --release -p countersign-bench --bin measure -- {{args}}

# Recorded verdicts of others beside ours: `just compare peers` or `just compare labels`.
compare *args:
    cargo run --release -p countersign-bench --bin compare -- {{args}}

# The reader against recorded answers of bash, and how much of what agents write it reads.
agreement:
    cargo test --release -p countersign-shell --test suite -- --nocapture agree reads_what

# Tree and verdicts against what real bash runs, ten minutes each.
oracle:
    cd oracle && cargo run --release --bin differential -- --minutes 10 && cargo run --release --bin judged -- --minutes 10

# The ways round a gate, each in real bash with something harmless in it; `just proved --share 10` tries a tenth.
proved *args:
    cd oracle && cargo run --release --bin proved -- {{args}}

# Properties of reader, rules and judge over made-up input.
fuzz rounds="200000" seed="1":
    cd fuzz && ROUNDS={{rounds}} SEED={{seed}} cargo test --release -- --nocapture

# The long form of the tests that kill processes.
soak:
    COUNTERSIGN_FULL=1 cargo test --release -p countersign-gate -- --nocapture

# Licences, duplicates and sources of what is linked; needs cargo-deny.
deny:
    cargo deny check
