import { isRecord } from "@nodewright/api-model";
import { describe, expect, it } from "vitest";
import type { Report } from "../../contract/report.ts";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import { depotSuite, rightDepots } from "./testing/depot-server.ts";
import { describedListener, type MethodInput, type Methods } from "./testing/described-server.ts";
import { blamedCases, isBlame } from "../../testing/blamed-cases.ts";

async function play(change: Methods = {}): Promise<Report> {
  return await playSuite(depotSuite, {
    baseUrl: await serve(describedListener(depotSuite, { ...rightDepots, ...change })),
    seed: "d3b0",
    rate: 10_000,
    concurrency: 4,
  });
}

/** Returns a method with a changed result. */
function changed(name: string, change: (right: unknown, input: MethodInput) => unknown): Methods {
  return { [name]: (input) => change(rightDepots[name]?.(input), input) };
}

/** Returns a method with a changed input. */
function requested(name: string, inputOf: (input: MethodInput) => MethodInput): Methods {
  return { [name]: (input) => rightDepots[name]?.(inputOf(input)) };
}

const without = (input: MethodInput, name: string): MethodInput => ({ ...input, [name]: undefined });
const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const merged = (value: unknown, members: MethodInput): unknown => (isRecord(value) ? { ...value, ...members } : value);
const numberIn = (value: unknown, name: string): number => (isRecord(value) ? Number(value[name]) : Number.NaN);

/** Returns violated rules, with the names of the cases. */
function broken(report: Report): readonly string[] {
  return blamedCases(report).flatMap(({ id, findings }) => findings.filter(isBlame).map(({ rule }) => `${id} ${rule}`));
}

describe("what names tell of a right server", () => {
  it("is so", async () => {
    const report = await play();
    expect(report.cases.filter(({ verdict }) => verdict === "failed" || verdict === "warned")).toEqual([]);
    expect(Math.max(...report.operations.map(({ calls }) => calls))).toBeLessThanOrEqual(60);
  });

  let calls = 0;
  const callNumber = (): number => {
    calls += 1;
    return calls;
  };
  it.each<[string, Methods]>([
    ["a head that goes up", { "chain.getHeight": () => 15 + Math.min(6, callNumber()) }],
    [
      "an account that has got more since",
      {
        ...changed("chain.getAccount", (right) =>
          merged(right, {
            balance: numberIn(right, "balance") + 70,
            received: numberIn(right, "received") + 70,
            transferCount: numberIn(right, "transferCount") + 1,
          }),
        ),
        ...changed("chain.listTransfers", (right, { address, limit = 20 }) => {
          const latest = { id: `0x${"ee".repeat(32)}`, from: address, to: address, amount: 70 };
          return [...itemsOf(right), latest].slice(0, Number(limit));
        }),
      },
    ],
    [
      "a count of its own",
      changed("parcels.getSummary", (right) => {
        const byState = isRecord(right) ? right["byState"] : {};
        return merged(right, {
          count: numberIn(right, "count") + 40,
          byState: merged(byState, { there: numberIn(byState, "there") + 40 }),
        });
      }),
    ],
    [
      "a bound that leaves out what lies at it",
      changed("parcels.list", (right, { bookedFrom }) => {
        const items = isRecord(right)
          ? itemsOf(right["items"]).filter((item) => isRecord(item) && item["bookedOn"] !== bookedFrom)
          : [];
        return bookedFrom === undefined ? right : { items, total: items.length };
      }),
    ],
  ])("may have %s", async (_name, change) => {
    // Counts by an omitted bound are not the subject of this test.
    expect(broken(await play(change)).filter((one) => !one.includes("counts-parcels-list"))).toEqual([]);
  });
});

describe("what names tell", () => {
  it.each<[string, string, Methods]>([
    [
      "depotsList/relation/filter-mode P004",
      "a filter that looks at the first value of a list",
      changed("depots.list", (right, { mode }) =>
        itemsOf(right).filter((item) => mode === undefined || (isRecord(item) && itemsOf(item["modes"])[0] === mode)),
      ),
    ],
    [
      "parcelsList/relation/range-booked-from P005",
      "a bound that is ignored",
      requested("parcels.list", (input) => without(input, "bookedFrom")),
    ],
    [
      "depotsCount/relation/counts-depots-list P006",
      "a number alone that ignores a filter",
      requested("depots.count", (input) => without(input, "open")),
    ],
    [
      "depotsCount/relation/counts-depots-list P006",
      "a number alone that is less than is listed",
      changed("depots.count", (right) => Number(right) - 1),
    ],
    [
      "parcelsGetSummary/relation/counts-parcels-list P006",
      "a count that ignores a bound",
      requested("parcels.getSummary", (input) => without(input, "bookedFrom")),
    ],
    [
      "parcelsGetSummary/relation/counts-parcels-list P006",
      "a count that ignores a filter",
      requested("parcels.getSummary", (input) => without(input, "depotId")),
    ],
    [
      "parcelsGetSummary/live/no-arguments P008",
      "counts that do not come to their sum",
      changed("parcels.getSummary", (right) => merged(right, { count: numberIn(right, "count") + 1 })),
    ],
    [
      "parcelsGet/relation/parcels-list-by-parcel-id P023",
      "a thing in full that is another than in its list",
      changed("parcels.get", (right) =>
        isRecord(right) && "depotId" in right ? { ...right, depotId: "DP-999" } : right,
      ),
    ],
    [
      "chainListTransfers/example/shown P007",
      "an element that is there twice",
      changed("chain.listTransfers", (right) => [...itemsOf(right), ...itemsOf(right).slice(0, 1)]),
    ],
    [
      "chainGetAccount/relation/counts-chain-list-transfers P006",
      "a count that is one too high",
      changed("chain.getAccount", (right) => merged(right, { transferCount: numberIn(right, "transferCount") + 1 })),
    ],
    [
      "chainListTransfers/example/shown P022",
      "elements of everybody",
      changed("chain.listTransfers", (_right, input) =>
        rightDepots["chain.listTransfers"]?.({ ...input, address: `0x${"c3".repeat(20)}` }),
      ),
    ],
    [
      "labelsValidate/relation/found-by-parcels-get P020",
      "another thing for a text",
      changed("labels.validate", (right) =>
        isRecord(right) && right["parcelId"] !== undefined ? { ...right, parcelId: "PC-5007" } : right,
      ),
    ],
    [
      "ratesGetQuote/live/found-1-2 P022",
      "always the same mode",
      changed("rates.getQuote", (right) => merged(right, { mode: "road" })),
    ],
    [
      "ratesGetQuote/live/found-1-1 P022",
      "another unit",
      changed("rates.getQuote", (right) => merged(right, { weight: Math.round(numberIn(right, "weight") * 2.2 + 1) })),
    ],
    [
      "chainGetHeight/relation/head-of-chain-get-hash P027",
      "a head far below the last block",
      { "chain.getHeight": () => 9 },
    ],
    ["chainGetHeight/relation/head-of-chain-get-hash P027", "a head where nothing is", { "chain.getHeight": () => 22 }],
  ])("%s finds %s", async (wanted, _name, change) => {
    expect(broken(await play(change))).toContain(wanted);
  });

  it("leaves open what is hidden from those who do not ask for it", async () => {
    const hidden = changed("depots.list", (right, { open }) =>
      itemsOf(right).filter((item) => open !== undefined || (isRecord(item) && item["open"] === true)),
    );
    const report = await play(hidden);
    expect(broken(report)).toEqual([]);
  });
});
