import { describe, expect, it } from "vitest";
import { type ComparedAnswer, elementsOf, explainDifference, type KnownChain } from "./electrs-differences.ts";
import { listRequests } from "./electrs-requests.ts";

const [older, newer] = ["a".repeat(64), "b".repeat(64)];
const places = new Map([
  [older, 1],
  [newer, 2],
]);
const unconfirmed = [{ weight: 401, fee: 202 }];
const chain: KnownChain = { places, unconfirmed, unspendable: new Set() };

function json(body: string, caching = "public, max-age=10"): ComparedAnswer {
  return { status: 200, type: "application/json", caching, body };
}

function refusal(status: number, body: string): ComparedAnswer {
  return { status, type: "text/plain", caching: undefined, body };
}

function compare(path: string, theirs: ComparedAnswer, ours: ComparedAnswer): boolean | string {
  const { reasons, isExplained } = explainDifference({ route: "any", path }, theirs, ours, chain);
  return isExplained ? reasons.join() : false;
}

describe("answers of electrs and of ours", () => {
  const summary = (...ids: readonly string[]): string =>
    `[${ids.map((txid) => `{"txid":"${txid}","height":1}`).join()}]`;

  it("that are the same need no reason", () => {
    expect(compare("/blocks/tip/height", json("1"), json("1"))).toBe("");
  });

  it.each([
    ["status", json("1"), { ...json("1"), status: 404 }],
    ["type", json("1"), { ...json("1"), type: "text/plain" }],
    ["caching", json("1"), json("1", "no-store")],
    ["body", json("1"), json("2")],
  ])("that differ in their %s are not explained", (_part, theirs, ours) => {
    expect(compare("/blocks/tip/height", theirs, ours)).toBe(false);
  });

  it("may list a history in another order only where ours goes down the chain", () => {
    const path = `/address/x/txs`;
    expect(compare(path, json(summary(older, newer)), json(summary(newer, older)))).toBe("order of histories");
    expect(compare(path, json(summary(newer, older)), json(summary(older, newer)))).toBe(false);
    expect(compare(path, json(summary(newer, older)), json(summary(newer)))).toBe(false);
    expect(compare(path, json(summary(newer, newer)), json(summary(newer, newer, older)))).toBe(false);
  });

  it("may differ in members that mempool.space adds, and in no others", () => {
    const transaction = (sigops: string, fee: number): string => `{"vin":[],"vout":[]${sigops},"fee":${fee}}`;
    const reason = "mempool.space: members and types of its transactions";
    expect(compare("/tx/x", json(transaction(',"sigops":4', 7)), json(transaction("", 7)))).toBe(reason);
    expect(compare("/tx/x", json(transaction(',"sigops":4', 7)), json(transaction("", 8)))).toBe(false);
  });

  it("may differ in the sizes of the mempool, where ours are rounded up", () => {
    const theirs = json('{"count":1,"vsize":100,"total_fee":202,"fee_histogram":[[2.02,100]]}');
    const reason = "sizes in the mempool are whole virtual bytes, rounded up";
    const ours = '{"count":1,"vsize":101,"total_fee":202,"fee_histogram":[[2,101]]}';
    expect(compare("/mempool", theirs, json(ours))).toBe(reason);
    expect(compare("/mempool", theirs, json(ours.replace("101,", "102,")))).toBe(false);
  });

  it("may list a history with unconfirmed transactions first, and nowhere else", () => {
    const waiting = "c".repeat(64);
    const path = "/address/x/txs";
    const reason = "order of histories";
    expect(compare(path, json(summary(newer, waiting)), json(summary(waiting, newer)))).toBe(reason);
    expect(compare(path, json(summary(waiting, newer)), json(summary(newer, waiting)))).toBe(false);
  });

  it("may differ in texts of refusals that are known", () => {
    const ours = refusal(400, "base58 error");
    expect(compare("/address/x", refusal(400, "Invalid Bitcoin address"), ours)).toBe("mempool.space: texts");
    expect(compare("/address/x", refusal(400, "Something else"), ours)).toBe(false);
    expect(compare("/address/x", refusal(404, "Invalid Bitcoin address"), ours)).toBe(false);
  });

  it("may differ in fee estimates that electrs does not have", () => {
    const targets = [...Array.from({ length: 25 }, (_, index) => index + 1), 144, 504, 1008];
    const all = JSON.stringify(Object.fromEntries(targets.map((target) => [target, 1])));
    expect(compare("/fee-estimates", json('{"2":1}'), json(all))).toBe("fee estimates hold all targets");
    expect(compare("/fee-estimates", json('{"2":3}'), json(all))).toBe(false);
    expect(compare("/fee-estimates", json("{}"), json("{}"))).toBe("");
  });
});

describe("a list's text", () => {
  it("is taken apart into those of its objects", () => {
    expect(elementsOf('[{"a":"}{\\"","b":{}},{}]')).toEqual(['{"a":"}{\\"","b":{}}', "{}"]);
    expect(elementsOf("[]")).toEqual([]);
    expect(elementsOf("Too many")).toBeUndefined();
  });
});

describe("requests for a chain", () => {
  it("request each block, transaction and script by every route, one output beyond the last among them", () => {
    const sizes = { weight: 400, fee: 0 };
    const output = { scriptpubkey: "51", scriptpubkey_type: "unknown", scriptpubkey_address: "somewhere" };
    const asked = [
      ...listRequests({
        blocks: [{ hash: newer, txids: [older] }],
        transactions: [{ txid: older, vout: [output], ...sizes }],
        addresses: ["somewhere"],
        scriptHashes: ["c".repeat(64)],
        unspendable: new Set(),
        places,
        unconfirmed: [],
      }),
    ].map(({ path }) => path);
    const parts = ["", "/hex", "/raw", "/status", "/outspends", "/outspend/0", "/outspend/1", "/merkle-proof"];
    expect(asked).toEqual(
      expect.arrayContaining([
        ...parts.map((part) => `/tx/${older}${part}`),
        ...["", "/status", "/header", "/raw", "/txids", "/txid/0", "/txs", "/txs/0"].map(
          (part) => `/block/${newer}${part}`,
        ),
        ...["", "/txs?max_txs=200", "/txs/chain", "/txs/mempool", "/txs/summary", "/utxo"].map(
          (part) => `/address/somewhere${part}`,
        ),
      ]),
    );
  });
});
