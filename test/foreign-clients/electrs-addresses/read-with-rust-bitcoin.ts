import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Returns the lines of the corpus for these addresses: each with what rust-bitcoin says of it on mainnet, testnet and regtest. */
export function readWithRustBitcoin(cargo: string, addresses: readonly string[]): string {
  const manifest = join(import.meta.dirname, "Cargo.toml");
  const target = join(import.meta.dirname, "../../../.cache/cargo/electrs-addresses");
  const parameters = ["run", "--quiet", "--locked", "--manifest-path", manifest, "--target-dir", target];
  const input = addresses.map((address) => `${address}\n`).join("");
  const { error, status, stdout, stderr } = spawnSync(cargo, parameters, {
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`cargo ended with ${status}: ${stderr}`);
  return stdout;
}
