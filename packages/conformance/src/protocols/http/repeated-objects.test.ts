import { describe, expect, test } from "vitest";
import { httpOperation, httpSuite, integer, text } from "../../run/testing/suites.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { type TestRequest, failedRules, type TestResponse } from "./testing/failed-rules.ts";

const state: SuiteType = { kind: "enumeration", values: ["sent", "arrived"] };
const parcel: SuiteType = {
  kind: "record",
  members: [
    { name: "id", type: integer, required: true },
    { name: "state", type: state, required: true },
    { name: "value", type: text, required: true },
  ],
};
const failures = [
  { name: "Invalid", status: 400, contents: [], headers: [] },
  { name: "NotFound", status: 404, contents: [], headers: [] },
];
const post = httpSuite([
  httpOperation(
    "listParcels",
    "/parcels",
    { kind: "list", element: parcel },
    {
      failures,
      parameters: [
        {
          name: "limit",
          property: "limit",
          location: "query",
          required: false,
          type: { ...integer, minimum: 1, maximum: 20, default: 5 } as SuiteType,
        },
      ],
    },
  ),
  httpOperation("getParcel", "/parcels/{parcelId}", parcel, {
    failures,
    parameters: [
      {
        name: "parcelId",
        property: "parcelId",
        location: "path",
        required: true,
        type: { ...integer, minimum: 1 } as SuiteType,
      },
    ],
  }),
]);

interface Parcel {
  readonly id: number;
  readonly state: string;
  readonly value: string;
}

/** Creates a server; `change` receives the number of the request. */
function office(change: (parcel: Parcel, request: number, limit: number | undefined) => object = (parcel) => parcel) {
  let requests = 0;
  return ({ path, query: given }: TestRequest): TestResponse => {
    requests += 1;
    const all = Array.from({ length: 9 }, (_none, index) => ({ id: index + 1, state: "sent", value: `${index}.50` }));
    if (path === "/parcels") {
      const limit = given.get("limit") ?? "5";
      if (!/^[1-9]\d?$/.test(limit) || Number(limit) > 20) return { status: 400 };
      return { status: 200, body: all.slice(0, Number(limit)).map((one) => change(one, requests, Number(limit))) };
    }
    const id = /^\/parcels\/([1-9]\d{0,8})$/.exec(path)?.[1];
    if (id === undefined) return { status: path.startsWith("/parcels/") ? 400 : 404 };
    const found = all.find((one) => String(one.id) === id);
    return found === undefined ? { status: 404 } : { status: 200, body: change(found, requests, undefined) };
  };
}

describe("What is asked for again", () => {
  test("is right with members that nobody promised, another each time", async () => {
    expect(
      await failedRules(
        post,
        office((one, request) => ({ ...one, trace: `t${request}` })),
      ),
    ).toEqual([]);
  });

  test("is at most guessed to be wrong where something of it changed once", async () => {
    const arrived = office((one, request) => ({ ...one, state: request < 40 ? "sent" : "arrived" }));
    expect((await failedRules(post, arrived)).filter((rule) => rule !== "P011")).toEqual([]);
    const dearer = office((one, request) => ({ ...one, value: request < 40 ? one.value : "70.50" }));
    expect((await failedRules(post, dearer)).filter((rule) => rule !== "P011")).toEqual([]);
  });

  test("is blamed where it changes with every request", async () => {
    const restless = office((one, request) => ({ ...one, state: request % 2 === 0 ? "sent" : "arrived" }));
    expect(await failedRules(post, restless)).toContain("P011");
    const dearer = office((one, request) => ({ ...one, value: `${request}.50` }));
    expect(await failedRules(post, dearer)).toContain("P011");
  });

  test("is blamed where an element is another on a longer page", async () => {
    const longer = office((one, _request, limit) => ({ ...one, state: limit === 20 ? "arrived" : "sent" }));
    expect(await failedRules(post, longer)).toEqual(["P011"]);
  });
});
