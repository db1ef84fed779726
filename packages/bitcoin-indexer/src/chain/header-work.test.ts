import { meetsProofOfWork, networks, workOfBits } from "@nodewright/bitcoin-primitives";
import fc from "fast-check";
import { expect, it } from "vitest";
import { HeaderWork } from "./header-work.ts";

it("gives the responses of the primitives for any target and hash", () => {
  for (const network of Object.values(networks)) {
    const headerWork = new HeaderWork(network);
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 0, max: 0xffffffff }), fc.constantFrom(0x1d00ffff, 0x207fffff, 0x1e0377ae)),
        fc.uint8Array({ minLength: 32, maxLength: 32, size: "max" }),
        fc.nat(32),
        (bits, bytes, zeros) => {
          const hash = bytes.fill(0, 32 - zeros);
          expect(headerWork.isProven({ bits, hash })).toBe(meetsProofOfWork({ bits, hash }, network));
          expect(headerWork.workOf(bits)).toBe(workOfBits(bits));
        },
      ),
    );
  }
});

it("allows a hash that equals the target", () => {
  const hash = new Uint8Array(32);
  hash.set([0xff, 0xff], 26);
  expect(new HeaderWork(networks.mainnet).isProven({ bits: 0x1d00ffff, hash })).toBe(true);
  hash[0] = 1;
  expect(new HeaderWork(networks.mainnet).isProven({ bits: 0x1d00ffff, hash })).toBe(false);
});
