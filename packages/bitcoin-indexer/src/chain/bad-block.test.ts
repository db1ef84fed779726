import { MalformedBytesError, networks } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { BadBlock, explainBadBlock } from "./bad-block.ts";

const file = { name: "blk00001.dat", offset: 1_000 };

it.each([
  [new BadBlock("it has no coinbase", 81), 1_081, "it has no coinbase"],
  [new BadBlock("it is heavier than a block may be"), 1_000, "it is heavier than a block may be"],
  [new MalformedBytesError(7, "block ends early"), 1_007, "block ends early"],
])("names the byte of the file that is wrong: %s", (reason, offset, problem) => {
  expect(explainBadBlock(reason, file, 5, networks.signet)).toMatchObject({
    name: "IndexerError",
    code: "bad-block",
    message: `Byte ${offset} of blk00001.dat is wrong, in block 5 of signet: ${problem}.`,
    place: { file: "blk00001.dat", offset },
    retry: false,
  });
});

it("names a node that gave a wrong block, which may give another the next time", () => {
  const explained = explainBadBlock(new BadBlock("it has no coinbase", 81), { name: "The node" }, 5, networks.regtest);
  expect(explained).toMatchObject({
    code: "bad-block",
    message: "The node gave a wrong block 5 of regtest: it has no coinbase.",
    place: undefined,
    retry: true,
  });
});

it("leaves any other failure as it is", () => {
  const reason = new RangeError("something else");
  expect(explainBadBlock(reason, file, 5, networks.regtest)).toBe(reason);
});

it("is an error of its own name", () => {
  expect(new BadBlock("reason")).toMatchObject({ name: "BadBlock", message: "reason", offset: 0 });
});
