import { expect, it } from "vitest";
import { fromHex, toHex } from "./bytes.ts";
import { bogoSizeOf, serializeCoin } from "./coin.ts";
import { wireHash } from "./hash.ts";

it("serializes a coin as Bitcoin Core does for its hashes over all coins", () => {
  // The first output of the first payment between two people.
  const scriptPubKey = fromHex(
    "4104ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414e7aab37397f554a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84cac",
  );
  const txid = wireHash("f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16");
  const coin = {
    txid: txid ?? expect.unreachable(),
    vout: 258,
    height: 170,
    isCoinbase: false,
    value: 1_000_000_000n,
    scriptPubKey: scriptPubKey ?? expect.unreachable(),
  };
  const rest = `00ca9a3b0000000043${toHex(coin.scriptPubKey)}`;
  expect(toHex(serializeCoin(coin))).toBe(`${toHex(coin.txid)}0201000054010000${rest}`);
  expect(toHex(serializeCoin({ ...coin, isCoinbase: true }))).toBe(`${toHex(coin.txid)}0201000055010000${rest}`);
  expect(bogoSizeOf(coin.scriptPubKey)).toBe(117);
});
