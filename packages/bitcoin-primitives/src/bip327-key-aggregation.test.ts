import { describe, expect, test } from "vitest";
import { aggregateKeys, fromHex, toHex } from "./index.ts";

const keys = [
  "02F9308A019258C31049344F85F89D5229B531C845836F99B08601F113BCE036F9",
  "03DFF1D77F2A671C5F36183726DB2341BE58FEAE1DA2DECED843240F7B502BA659",
  "023590A94E768F8E1815C2F24B4D80A8E3149316C3518CE7B7AD338368D038CA66",
].map((hex) => fromHex(hex) ?? new Uint8Array());

function aggregated(...positions: readonly number[]): string | undefined {
  const key = aggregateKeys(positions.map((position) => keys[position] ?? new Uint8Array()));
  return key && toHex(key.subarray(1)).toUpperCase();
}

describe("BIP 327: aggregate keys", () => {
  test.each([
    [[0, 1, 2], "90539EEDE565F5D054F32CC0C220126889ED1E5D193BAF15AEF344FE59D4610C"],
    [[2, 1, 0], "6204DE8B083426DC6EAF9502D27024D53FC826BF7D2012148A0575435DF54B2B"],
    [[0, 0, 0], "B436E3BAD62B8CD409969A224731C193D051162D8C5AE8B109306127DA3AA935"],
    [[0, 0, 1, 1], "69BC22BFA5D106306E48A20679DE1D7389386124D07571D0D872686028C26A3E"],
  ])("are those of the test vectors for %j", (positions, expected) => {
    expect(aggregated(...positions)).toBe(expected);
  });

  test("exist for points alone", () => {
    expect(aggregateKeys([])).toBeUndefined();
    expect(aggregateKeys([keys[0] ?? new Uint8Array(), new Uint8Array(33)])).toBeUndefined();
  });
});
