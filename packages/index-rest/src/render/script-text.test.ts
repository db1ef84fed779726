import {
  addressOfScript,
  type Network,
  networks,
  renderEsploraAsm,
  scriptType,
  toHex,
} from "@nodewright/bitcoin-primitives";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonBytes } from "@nodewright/runtime/node";
import { writeScriptMembers } from "./script-text.ts";

const keyHashScript = Buffer.from("76a914751e76e8199196d454941c45d1b3a323f1433bd688ac", "hex");
const out = new JsonBytes();

function textOf(script: Uint8Array, network: Network): string {
  writeScriptMembers(out, script, 0, script.length, network);
  return `${out.takeText()}0}`;
}

describe("the text of a script", () => {
  test("is the same whenever it is requested, on each network with its own address", () => {
    for (const network of [networks.mainnet, networks.testnet3, networks.regtest, networks.mainnet]) {
      expect(JSON.parse(textOf(keyHashScript, network)).scriptpubkey_address).toBe(
        addressOfScript(keyHashScript, network),
      );
    }
  });

  test("is right for any script, the first time and again, also when more are requested than can be remembered", () => {
    const scripts = fc.oneof(
      fc.uint8Array({ maxLength: 60, size: "max" }),
      fc
        .uint8Array({ minLength: 2, maxLength: 40, size: "max" })
        .map((program) => Uint8Array.of(0x51, program.length, ...program)),
      fc
        .uint8Array({ minLength: 20, maxLength: 20, size: "max" })
        .map((hash) => Uint8Array.of(0xa9, 20, ...hash, 0x87)),
    );
    fc.assert(
      fc.property(scripts, (script) => {
        const expected = JSON.stringify({
          scriptpubkey: toHex(script),
          scriptpubkey_asm: renderEsploraAsm(script),
          scriptpubkey_type: scriptType(script).esplora,
          scriptpubkey_address: addressOfScript(script, networks.mainnet),
          value: 0,
        });
        expect(textOf(script, networks.mainnet)).toBe(expected);
        expect(textOf(script, networks.mainnet)).toBe(expected);
      }),
      { numRuns: 45_000 },
    );
  });

  test("is right for scripts that differ in their first bytes alone, which are remembered in one place", () => {
    const tail = "11".repeat(30);
    const scripts = Array.from({ length: 12 }, (_, index) => Buffer.from(`5${index.toString(16)}${tail}`, "hex"));
    for (const script of [...scripts, ...scripts.toReversed()]) {
      expect(JSON.parse(textOf(script, networks.mainnet)).scriptpubkey).toBe(toHex(script));
    }
  });
});
