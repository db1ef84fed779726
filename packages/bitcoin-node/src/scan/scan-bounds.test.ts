import { networks } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { parseDescriptor } from "../descriptor/parse-descriptor.ts";
import { ScanCost } from "./scan-bounds.ts";

const network = networks.regtest;
const xpub =
  "tpubD6NzVbkrYhZ4WaWSyoBvQwbpLkojyoTZPRsgXELWz3Popb3qkjcJyJUGLnL4qHHoQvao8ESaAstxYSnhyswJ76uZPStJRJCTKvosUCJZL5B";
const scripts = "The search has more than 10000 scripts: look for fewer at once";
const keys = "The search has more than 30000 keys to derive: look for fewer at once";

function add(cost: ScanCost, text: string, count: number): void {
  cost.add(parseDescriptor(text, { network }), { first: 5, last: 4 + count });
}

describe("what a search costs", () => {
  it.each<[name: string, descriptor: string, most: number, refusal: string]>([
    ["a script for each child", `wpkh(${xpub}/*)`, 10_000, scripts],
    ["four scripts of a key", `combo(${xpub}/*)`, 2_500, scripts],
    ["a script for each of several paths", `wpkh(${xpub}/<0;1>/*)`, 5_000, scripts],
    ["a key for each of a script's", `wsh(multi(1,${xpub}/*,${xpub}/*,${xpub}/*))`, 10_000, scripts],
    ["each number of a path once", `wsh(multi(1,${xpub}/*,${xpub}/*,${xpub}/1/*))`, 9_999, keys],
    ["keys of each path", `wsh(multi(1,${xpub}/<0;1>/*,${xpub}/*,${xpub}/*,${xpub}/*))`, 3_749, keys],
    ["a taproot key, and the key of its output", `tr(${xpub}/*)`, 10_000, scripts],
    ["a taproot key with a leaf, and both once more", `tr(${xpub}/*,pk(${xpub}/1/*))`, 7_499, keys],
    ["a taproot key with two leaves", `tr(${xpub}/*,{pk(${xpub}/*),pk(${xpub}/*)})`, 5_000, keys],
    ["participants and what they are together", `tr(musig(${xpub}/1,${xpub}/2)/*)`, 7_499, keys],
    ["a key of an output itself", `rawtr(${xpub}/*)`, 10_000, scripts],
  ])("counts %s", (_name, descriptor, most, refusal) => {
    expect(() => add(new ScanCost(), descriptor, most)).not.toThrow();
    expect(() => add(new ScanCost(), descriptor, most + 1)).toThrow(
      expect.objectContaining({ rpcCode: -8, message: refusal }),
    );
  });

  it("is that of all descriptors together", () => {
    const cost = new ScanCost();
    add(cost, `combo(${xpub}/*)`, 2_000);
    add(cost, `wpkh(${xpub}/*)`, 1_999);
    add(cost, "raw(51)", 1);
    expect(() => add(cost, "raw(52)", 1)).toThrow(scripts);
    const keyCost = new ScanCost();
    add(keyCost, `wsh(multi(1,${xpub}/*,${xpub}/*,${xpub}/*,${xpub}/*))`, 7_499);
    add(keyCost, `wpkh(${xpub}/1/2/3/4)`, 0);
    expect(() => add(keyCost, `wpkh(${xpub}/*)`, 1)).toThrow(keys);
  });
});
