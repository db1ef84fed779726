// Builds what only `npm run test:long` needs, at pinned versions, into .cache/long; a second run does nothing. About 25 minutes of one core.
import { availableParallelism } from "node:os";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { installDebian, once, read, run } from "./install.ts";

const cache = resolve(".cache/long");

/** Carries the complete source of Bitcoin Core 31.99 beside its Rust bindings. */
const crate = { name: "libbitcoinkernel-sys", version: "0.4.1" } as const;

/** The crate lacks the file of ASMap; wallet, inter-process interface, tests and notifications are not used here. */
const buildOptions = [
  "-DWITH_EMBEDDED_ASMAP=OFF",
  "-DENABLE_WALLET=OFF",
  "-DENABLE_IPC=OFF",
  "-DBUILD_TESTS=OFF",
  "-DBUILD_BENCH=OFF",
  "-DBUILD_TX=OFF",
  "-DBUILD_UTIL=OFF",
  "-DWITH_ZMQ=OFF",
] as const;

/** Downloads a crate, whose digest cargo checks, and returns its directory. */
function downloadCrate(): string {
  const project = join(cache, "crate");
  mkdirSync(project, { recursive: true });
  const manifest = join(project, "Cargo.toml");
  writeFileSync(
    manifest,
    `[package]\nname = "download"\nversion = "0.0.0"\n[lib]\npath = "empty.rs"\n[dependencies]\n${crate.name} = "=${crate.version}"\n`,
  );
  writeFileSync(join(project, "empty.rs"), "");
  const metadata = read("cargo", ["metadata", "--format-version", "1", "--manifest-path", manifest]);
  const { packages } = JSON.parse(metadata) as {
    readonly packages: readonly { readonly name: string; readonly manifest_path: string }[];
  };
  const found = packages.find(({ name }) => name === crate.name);
  if (found === undefined) throw new Error(`cargo does not name ${crate.name}`);
  return dirname(found.manifest_path);
}

function installBitcoinCore(): void {
  once(cache, "bitcoind", crate.version, () => {
    installDebian(["cmake", "ninja-build", "g++", "pkg-config", "libboost-dev", "libevent-dev"]);
    const source = join(downloadCrate(), "bitcoin");
    const build = join(cache, "bitcoind-build");
    run("cmake", ["-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", ...buildOptions]);
    run("ninja", ["-C", build, "-j", String(availableParallelism()), "bitcoind", "bitcoin-cli"]);
    for (const program of ["bitcoind", "bitcoin-cli"])
      copyFileSync(join(build, "bin", program), join(cache, "bin", program));
    rmSync(build, { recursive: true });
  });
}

mkdirSync(join(cache, "bin"), { recursive: true });
installBitcoinCore();
