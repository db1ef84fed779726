import { addressOfScript, networks, renderEsploraAsm, scriptType, toHex } from "@nodewright/bitcoin-primitives";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scriptPubKeyText } from "./script-text.ts";

const keyHashScript = Buffer.from("76a914751e76e8199196d454941c45d1b3a323f1433bd688ac", "hex");

function addressIn(script: Uint8Array, network: Parameters<typeof scriptPubKeyText>[1]): string | undefined {
  return JSON.parse(`{${scriptPubKeyText(script, network)}}`).scriptpubkey_address;
}

describe("the text of a script", () => {
  test("is the same whenever it is asked for, on each network with its own address", () => {
    for (const network of [networks.mainnet, networks.testnet3, networks.regtest, networks.mainnet]) {
      expect(addressIn(keyHashScript, network)).toBe(addressOfScript(keyHashScript, network));
    }
  });

  test("is right for any script, also when more are asked for than can be remembered", () => {
    const scripts = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.uint8Array({ minLength: 2, maxLength: 40 }).map((program) => Uint8Array.of(0x51, program.length, ...program)),
      fc.uint8Array({ minLength: 20, maxLength: 20 }).map((hash) => Uint8Array.of(0xa9, 20, ...hash, 0x87)),
    );
    fc.assert(
      fc.property(scripts, (script) => {
        expect(`{${scriptPubKeyText(script, networks.mainnet)}}`).toBe(
          JSON.stringify({
            scriptpubkey: toHex(script),
            scriptpubkey_asm: renderEsploraAsm(script),
            scriptpubkey_type: scriptType(script).esplora,
            scriptpubkey_address: addressOfScript(script, networks.mainnet),
          }),
        );
      }),
      { numRuns: 35_000 },
    );
  });
});
