import { createHash } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { base58check } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOfScript } from "./address.ts";
import { concatBytes } from "./bytes.ts";
import { doubleSha256, hash160 } from "./hash.ts";
import { recoverMessageKey } from "./message-signature.ts";
import { networks } from "./network.ts";
import { publicKeyOfPrivateKey } from "./public-key.ts";

function signerOf(message: string, signature: string, network = networks.mainnet): string | undefined {
  const key = recoverMessageKey(message, Buffer.from(signature, "base64"));
  if (key === undefined) return undefined;
  const script = concatBytes(Buffer.from("76a914", "hex"), hash160(key), Buffer.from("88ac", "hex"));
  return addressOfScript(script, network);
}

/** Signs as wallets do, by the curve's own library. */
function sign(message: string, secret: Uint8Array, { compressed }: { readonly compressed: boolean }): Uint8Array {
  const text = Buffer.from(message);
  const length = text.length < 0xfd ? Buffer.of(text.length) : Buffer.of(0xfd, text.length & 0xff, text.length >> 8);
  const hash = doubleSha256(Buffer.concat([Buffer.from("\x18Bitcoin Signed Message:\n"), length, text]));
  const [recovery = 0, ...numbers] = secp256k1.sign(hash, secret, { prehash: false, format: "recovered" });
  return Buffer.of(27 + recovery + (compressed ? 4 : 0), ...numbers);
}

describe("recoverMessageKey", () => {
  it.each([
    [
      "Trust no one",
      "IPojfrX2dfPnH26UegfbGQQLrdK844DlHq5157/P6h57WyuS/Qsl+h/WSVGDF4MUi4rWSswW38oimDYfNNUBUOk=",
      "15CRxFdyRpGZLW9w8HnHvVduizdL5jKNbs",
    ],
    [
      "Trust me",
      "IIcaIENoYW5jZWxsb3Igb24gYnJpbmsgb2Ygc2Vjb25kIGJhaWxvdXQgZm9yIGJhbmtzIAaHRtbCeDZINyavx14=",
      "11canuhp9X2NocwCq7xNrQYTmUgZAnLK3",
    ],
  ])("knows who signed %j, as Bitcoin Core's tests have it", (message, signature, address) => {
    expect(signerOf(message, signature)).toBe(address);
    expect(signerOf(`${message}!`, signature)).not.toBe(address);
  });

  it("knows who signed for the private key of Bitcoin Core's functional test", () => {
    const secret = base58check((bytes: Uint8Array) => createHash("sha256").update(bytes).digest())
      .decode("cUeKHd5orzT3mz8P9pxyREHfsWtVfgsfDjiZZBcjUBAaGk1BTj7N")
      .subarray(1, 33);
    const signature = "INbVnW4e6PeRmsv2Qgu8NuopvrVjkcxob+sX8OcZG0SALhWybUjzMLPdAsXI46YZGb0KQTRii+wWIQzRpG/U+S0=";
    const key = recoverMessageKey("This is just a test message", Buffer.from(signature, "base64"));
    expect(key && Buffer.from(key)).toEqual(Buffer.from(publicKeyOfPrivateKey(secret, { compressed: true })));
  });

  it("gives the key that signed, in the form that the signature says", () => {
    const secrets = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .filter((bytes) => secp256k1.utils.isValidSecretKey(bytes));
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 300, size: "max" }),
        secrets,
        fc.boolean(),
        (message, secret, compressed) => {
          const key = recoverMessageKey(message, sign(message, secret, { compressed }));
          expect(key && Buffer.from(key)).toEqual(Buffer.from(publicKeyOfPrivateKey(secret, { compressed })));
        },
      ),
      { numRuns: 25 },
    );
  });

  it("looks at three bits of the first byte alone, counted from 27", () => {
    const signature = Buffer.from(
      "IPojfrX2dfPnH26UegfbGQQLrdK844DlHq5157/P6h57WyuS/Qsl+h/WSVGDF4MUi4rWSswW38oimDYfNNUBUOk=",
      "base64",
    );
    const recovered = (first: number): string | undefined => {
      const key = recoverMessageKey("Trust no one", Buffer.concat([Buffer.of(first), signature.subarray(1)]));
      return key && Buffer.from(key).toString("hex");
    };
    expect(signature[0]).toBe(32);
    for (const first of [0, 8, 40, 248]) expect(recovered(first)).toBe(recovered(32));
    const point = secp256k1.Point.fromHex(recovered(32) ?? expect.unreachable());
    for (const first of [4, 28, 36, 252]) expect(recovered(first)).toBe(point.toHex(false));
    expect(recovered(31)).not.toBe(recovered(32));
  });

  it("knows nobody for what is no signature", () => {
    expect(recoverMessageKey("", new Uint8Array())).toBeUndefined();
    expect(recoverMessageKey("", new Uint8Array(64))).toBeUndefined();
    expect(recoverMessageKey("", new Uint8Array(65))).toBeUndefined();
    expect(recoverMessageKey("", new Uint8Array(65).fill(0xff))).toBeUndefined();
    expect(recoverMessageKey("", new Uint8Array(66).fill(1))).toBeUndefined();
  });
});
