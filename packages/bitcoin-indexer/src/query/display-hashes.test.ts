import { displayHash, sha256 } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { displayHashes } from "./display-hashes.ts";

it.each([0, 1, 2, 7])("writes %i hashes as one by one, and leaves their bytes as they are", (count) => {
  const hashes = Array.from({ length: count }, (_, index) => sha256(Uint8Array.of(index)));
  const bytes = Buffer.concat(hashes);
  expect(displayHashes(bytes)).toEqual(hashes.map(displayHash));
  expect(bytes.equals(Buffer.concat(hashes))).toBe(true);
});
