import { describe, expect, it } from "vitest";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { MethodFailure, describedListener, type Methods } from "./testing/described-server.ts";
import { required, describedMethod, describedSuite, failure } from "./testing/described-suite.ts";

const uuid: SuiteType = { kind: "string", format: "uuid" };
const date: SuiteType = { kind: "string", format: "date" };
const quantity: SuiteType = { kind: "string", pattern: "^0x(0|[1-9a-f][0-9a-f]{0,15})$" };
const text: SuiteType = { kind: "string" };
const record = (members: Readonly<Record<string, SuiteType>>): SuiteType => ({
  kind: "record",
  members: Object.entries(members).map(([name, type]) => ({ name, type, required: true })),
});

const noParcel = failure(-32004, "Parcel not found", { data: { parcelId: "00000000-0000-4000-8000-000000000000" } });
const noCursor = failure(-32010, "Invalid cursor");
const wrongRange = failure(-32011, "Invalid date range", { data: { from: "2024-03-01", to: "2024-02-01" } });
const scan: SuiteType = record({ place: text });

const suite = describedSuite("desk", [
  describedMethod(
    "listparcels",
    record({ parcels: { kind: "list", element: record({ parcelId: uuid, sentOn: date }) } }),
    [required("sentFrom", date, { required: false }), required("sentTo", date, { required: false })],
    { failures: [wrongRange] },
  ),
  describedMethod("getparcel", record({ parcelId: uuid, sentOn: date }), [required("parcelId", uuid)], {
    failures: [noParcel],
  }),
  describedMethod(
    "listscans",
    record({
      scans: { kind: "list", element: scan },
      nextCursor: { kind: "union", mode: "any-of", members: [text, { kind: "null" }] },
    }),
    [required("parcelId", uuid), required("cursor", text, { required: false })],
    { failures: [noParcel, noCursor] },
  ),
  describedMethod("getstamp", record({ stamp: quantity }), [required("number", quantity)], {
    failures: [failure(-32012, "Stamp not found")],
  }),
]);

const parcels = Array.from({ length: 6 }, (_none, index) => ({
  parcelId: `6b1d2c00-0000-4000-8000-00000000000${index}`,
  sentOn: `2024-02-1${index}`,
}));

function parcelOf(parcelId: unknown): (typeof parcels)[number] {
  const parcel = parcels.find((one) => one.parcelId === parcelId);
  if (parcel === undefined) throw new MethodFailure(-32004, "Parcel not found", { parcelId });
  return parcel;
}

const right: Methods = {
  listparcels: ({ sentFrom = "0", sentTo = "9" }) => {
    const [from, to] = [String(sentFrom), String(sentTo)];
    if (from > to) throw new MethodFailure(-32011, "Invalid date range", { from, to });
    return { parcels: parcels.filter(({ sentOn }) => sentOn >= from && sentOn <= to) };
  },
  getparcel: ({ parcelId }) => parcelOf(parcelId),
  listscans: ({ parcelId, cursor }) => {
    const { sentOn } = parcelOf(parcelId);
    if (cursor !== undefined && cursor !== "page-2") throw new MethodFailure(-32010, "Invalid cursor");
    return { scans: [{ place: `desk of ${sentOn}` }, { place: "road" }].slice(cursor ? 1 : 0), nextCursor: null };
  },
  getstamp: ({ number }) => {
    // The first stamps exist: small numbers identify one.
    if (BigInt(String(number)) > 2n ** 20n) throw new MethodFailure(-32012, "Stamp not found");
    return { stamp: number };
  },
};

/** Returns the failed cases, with the rules that they found violated. */
async function failed(changes: Methods): Promise<readonly string[]> {
  const baseUrl = await serve(describedListener(suite, { ...right, ...changes }));
  const { cases } = await playSuite(suite, { baseUrl, seed: "5eed", rate: 10_000, concurrency: 8 });
  return cases
    .filter(({ verdict }) => verdict !== "passed" && verdict !== "skipped")
    .map(({ id, findings }) => `${id} ${findings.map(({ rule }) => rule).join(" ")}`);
}

/** Returns a method with other failures than the conforming one. */
function failing(name: string, change: (fault: MethodFailure) => unknown): Methods {
  return {
    [name]: (input) => {
      try {
        return right[name]?.(input);
      } catch (error) {
        if (error instanceof MethodFailure) return change(error);
        throw error;
      }
    },
  };
}

function recoded(name: string, code: number, message: string): Methods {
  return failing(name, (fault) => {
    throw new MethodFailure(code, message, fault.data);
  });
}

function redated(name: string, data: unknown): Methods {
  return failing(name, ({ code, message }) => {
    throw new MethodFailure(code, message, data);
  });
}

const range = "listparcels/negative/sent-from-after-sent-to";
const unknown = "getparcel/negative/parcel-id-unknown";

describe("documented errors", () => {
  it("are what a right server answers", async () => {
    expect(await failed({})).toEqual([]);
  });

  it("may have other words and other data", async () => {
    const loose = failing("listparcels", ({ code }) => {
      throw new MethodFailure(code, "From is later than to", ["from"]);
    });
    expect(await failed(loose)).toEqual([]);
    const talkative = failing("getparcel", ({ code, message, data }) => {
      throw new MethodFailure(code, message, { ...(data as object), hint: "Was it sent?" });
    });
    expect(await failed(talkative)).toEqual([]);
  });

  it.each<[string, string, Methods]>([
    ["taken as an empty one", `${range} P034`, failing("listparcels", () => ({ parcels: [] }))],
    ["turned round", `${range} P034`, failing("listparcels", () => ({ parcels }))],
    ["that break the server", `${range} P034`, recoded("listparcels", -32603, "Internal error")],
    ["with a code of no document", `${range} P034`, recoded("listparcels", -32000, "From is later than to")],
    [
      "with data that is swapped",
      `${range} P035`,
      failing("listparcels", ({ code, message, data }) => {
        const { from, to } = data as Readonly<Record<string, unknown>>;
        throw new MethodFailure(code, message, { from: to, to: from });
      }),
    ],
    ["with data that says nothing", `${range} P035`, redated("listparcels", {})],
  ])("are given for reversed ranges: those %s", async (_name, wanted, changes) => {
    expect(await failed(changes)).toContain(wanted);
  });

  it.each<[string, string, Methods]>([
    ["no data", `${unknown} P035`, redated("getparcel", undefined)],
    ["a text as data", `${unknown} P035`, redated("getparcel", "gone")],
    ["the id of another", `${unknown} P035`, redated("getparcel", { parcelId: parcels[0]?.parcelId })],
    ["a result", `${unknown} P036`, failing("getparcel", () => parcels[0])],
    [
      "an empty page",
      "listscans/negative/parcel-id-unknown P036",
      failing("listscans", () => ({ scans: [], nextCursor: null })),
    ],
  ])("are given for what is not there: %s", async (_name, wanted, changes) => {
    expect(await failed(changes)).toContain(wanted);
  });

  it.each<[string, string, Methods]>([
    [
      "taken for the start",
      "P034",
      failing("listscans", (fault) => {
        if (fault.code === -32004) throw fault;
        return { scans: [{ place: "road" }], nextCursor: null };
      }),
    ],
    [
      "that break the server",
      "P034",
      failing("listscans", (fault) => {
        throw fault.code === -32004 ? fault : new MethodFailure(-32603, "Internal error");
      }),
    ],
  ])("are given for cursors of nobody: those %s", async (_name, rule, changes) => {
    expect(await failed(changes)).toContain(`listscans/negative/cursor-without-form ${rule}`);
  });
});
