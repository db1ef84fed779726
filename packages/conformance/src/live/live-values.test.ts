import { describe, expect, it } from "vitest";
import type { ConformanceSuite, RpcSuite, SuiteHttpOperation, SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { SuiteValues } from "./suite-values.ts";
import type { LiveValues } from "./live-values.ts";

const text: SuiteType = { kind: "string" };
const integer: SuiteType = { kind: "number", integer: true };
const hash: SuiteType = { kind: "string", pattern: "^[0-9a-f]{64}$" };
const extensions = { disabledByDefault: false, nodeControl: false, units: 1 };

function parameter(name: string, type: SuiteType, more: Partial<SuiteParameter> = {}): SuiteParameter {
  return { name, property: name, location: "path", required: true, type, ...more };
}

function get(
  path: string,
  parameters: readonly SuiteParameter[],
  more: Partial<SuiteHttpOperation> = {},
): SuiteHttpOperation {
  const { response = { kind: "any" }, ...rest } = more as typeof more & { readonly response?: SuiteType };
  return {
    name: path,
    origin: `GET ${path}`,
    tags: [],
    parameters,
    successes: [{ status: 200, headers: [], content: { mediaType: "application/json", form: "json", type: response } }],
    failures: [],
    examples: [],
    links: [],
    relations: [],
    extensions,
    method: "GET",
    path,
    ...rest,
  };
}

function method(name: string, parameters: readonly SuiteParameter[]): SuiteRpcMethod {
  const { path: _path, ...rest } = get(name, parameters);
  return { ...rest, method: name };
}

const shared = { format: 2, name: "a", title: "A", version: "1", source: "a.yaml", security: {} } as const;

function httpSuite(operations: readonly SuiteHttpOperation[], types: SuiteTypes = {}): ConformanceSuite {
  return { ...shared, types, protocol: "http", operations };
}

function rpcSuite(operations: readonly SuiteRpcMethod[]): RpcSuite {
  return { ...shared, types: {}, protocol: "rpc", envelope: "both", operations };
}

/** Records a response, by default to a call without inputs. */
function see(live: LiveValues, operation: string, value: unknown, input = {}, type: SuiteType = { kind: "any" }): void {
  live.see({ operation, input, type, value });
}

const hashOf = (digit: string): string => digit.repeat(64);

describe("live values", () => {
  it("find the id of a thing in the list of things", () => {
    const live = new SuiteValues(httpSuite([get("/pets", []), get("/pets/{petId}", [parameter("petId", integer)])]));
    see(live, "/pets", [
      { id: 7, name: "Rex", owner: { id: 99 } },
      { id: 8, name: "Tom" },
    ]);
    const inputs = live.inputsOf("/pets/{petId}", 2);
    expect(inputs).toEqual([{ petId: 7 }, { petId: 8 }]);
  });

  it("know things by the member that holds them, by their types and by their paths", () => {
    const suite = httpSuite(
      [
        get("/dashboard", []),
        get("/ships/{id}", [parameter("id", integer)]),
        get("/ports/{port_id}", [parameter("port_id", integer)]),
        get("/crew-members/{crewMemberId}", [parameter("crewMemberId", integer)]),
      ],
      { Port: { kind: "record", members: [{ name: "id", type: integer, required: true }] } },
    );
    const live = new SuiteValues(suite);
    const response: SuiteType = {
      kind: "record",
      members: [{ name: "nearest", required: true, type: { kind: "reference", target: "Port" } }],
    };
    see(live, "/dashboard", { id: 1, ships: [{ id: 2 }], nearest: { id: 3 }, crewMembers: [{ id: 4 }] }, {}, response);
    expect(live.inputsOf("/ships/{id}", 1)).toEqual([{ id: 2 }]);
    expect(live.inputsOf("/ports/{port_id}", 1)).toEqual([{ port_id: 3 }]);
    expect(live.inputsOf("/crew-members/{crewMemberId}", 1)).toEqual([{ crewMemberId: 4 }]);
  });

  it("take the id of another thing for a guess only", () => {
    const live = new SuiteValues(httpSuite([get("/pets", []), get("/orders/{id}", [parameter("id", integer)])]));
    see(live, "/pets", [{ id: 7 }]);
  });

  it("understand plain lists and texts by the name of what answers them", () => {
    const live = new SuiteValues(
      rpcSuite([
        method("getbestblockhash", []),
        method("getblockcount", []),
        method("getBlockTxids", [parameter("blockhash", hash)]),
        method("getblock", [parameter("blockhash", hash)]),
        method("getblockhash", [parameter("height", integer)]),
        method("getrawtransaction", [parameter("txid", hash)]),
      ]),
    );
    see(live, "getbestblockhash", hashOf("b"));
    see(live, "getblockcount", 170);
    see(live, "getBlockTxids", [hashOf("1"), hashOf("2")], { blockhash: hashOf("b") });
    expect(live.inputsOf("getblock", 9)).toEqual([{ blockhash: hashOf("b") }]);
    expect(live.inputsOf("getblockhash", 9)).toEqual([{ height: 170 }]);
    expect(live.inputsOf("getrawtransaction", 9)).toEqual([{ txid: hashOf("1") }, { txid: hashOf("2") }]);
  });

  it("keep values together that belong to one object, or to it and what holds it", () => {
    const output = [parameter("txid", hash), parameter("vout", integer)];
    const live = new SuiteValues(
      httpSuite([
        get("/block/{hash}", [parameter("hash", hash)]),
        get("/block/{hash}/tx/{txid}", [parameter("hash", hash), parameter("txid", hash)]),
        get("/tx/{txid}/outspend/{vout}", output),
      ]),
    );
    const block = {
      id: hashOf("b"),
      tx: [
        { txid: hashOf("1"), vin: [{ txid: hashOf("3"), vout: 5 }] },
        { txid: hashOf("2"), vin: [{ txid: hashOf("4"), vout: 6 }] },
      ],
    };
    see(live, "/block/{hash}", block, { hash: hashOf("b") });
    expect(live.inputsOf("/tx/{txid}/outspend/{vout}", 2)).toEqual([
      { txid: hashOf("3"), vout: 5 },
      { txid: hashOf("4"), vout: 6 },
    ]);
    expect(live.inputsOf("/block/{hash}/tx/{txid}", 2)).toEqual([
      { hash: hashOf("b"), txid: hashOf("1") },
      { hash: hashOf("b"), txid: hashOf("2") },
    ]);
  });

  it("follow a declared link that names the first of a list from each of its elements", () => {
    const link = { name: "details", operation: "/staff/{who}", inputs: { who: "$response.body#/items/0/ref" } };
    const live = new SuiteValues(
      httpSuite([get("/staff", [], { links: [link] }), get("/staff/{who}", [parameter("who", text)])]),
    );
    see(live, "/staff", { items: [{ ref: "a7" }, { ref: "b8" }] });
    expect(live.inputsOf("/staff/{who}", 5)).toEqual([{ who: "a7" }, { who: "b8" }]);
  });

  it("follow declared links from headers, and from expressions within a text", () => {
    const links = [
      { name: "next", operation: "/job/{id}", inputs: { id: "$response.header.X-Job" } },
      { name: "log", operation: "/log/{name}", inputs: { name: "log-{$response.body#/day}" } },
    ];
    const live = new SuiteValues(
      httpSuite([
        get("/start", [], { links }),
        get("/job/{id}", [parameter("id", text)]),
        get("/log/{name}", [parameter("name", text)]),
      ]),
    );
    const type: SuiteType = { kind: "any" };
    live.see({ operation: "/start", input: {}, type, value: { day: "mon" }, headers: { "x-job": "j1" } });
    expect(live.inputsOf("/job/{id}", 1)).toEqual([{ id: "j1" }]);
    expect(live.inputsOf("/log/{name}", 1)).toEqual([{ name: "log-mon" }]);
  });

  it("follow declared links from the address and the status of a request", () => {
    const links = [{ name: "why", operation: "/why", inputs: { of: "$url", status: "$statusCode" } }];
    const live = new SuiteValues(
      httpSuite([get("/start", [], { links }), get("/why", [parameter("of", text), parameter("status", integer)])]),
    );
    const type: SuiteType = { kind: "any" };
    live.see({ operation: "/start", input: {}, type, value: {}, url: "http://a/start?b=c", statusCode: 203 });
    expect(live.inputsOf("/why", 1)).toEqual([{ of: "http://a/start?b=c", status: 203 }]);
  });

  it("follow the links of a failure from that failure alone, and take nothing else from it", () => {
    const links = [{ name: "other", operation: "/slot/{id}", inputs: { id: "$response.body#/taken" }, status: 409 }];
    const suite = httpSuite([
      get("/book", [], { links }),
      get("/slot/{id}", [parameter("id", text)]),
      get("/desk/{deskId}", [parameter("deskId", text)]),
    ]);
    const type: SuiteType = { kind: "any" };
    const response = { operation: "/book", input: {}, type, value: { taken: "s1", deskId: "d1" } };
    const conflict = new SuiteValues(suite);
    conflict.see({ ...response, failure: 409 });
    expect(conflict.inputsOf("/slot/{id}", 5)).toEqual([{ id: "s1" }]);
    expect([conflict.inputsOf("/desk/{deskId}", 5), conflict.goodInputsOf("/book")]).toEqual([[], []]);
    for (const other of [response, { ...response, failure: 404 }]) {
      const live = new SuiteValues(suite);
      live.see(other);
      expect(live.inputsOf("/slot/{id}", 5)).toEqual([]);
    }
  });

  it.each([
    "$result.entries[0].barcode",
    ["$", "{result.entries[0].barcode}"].join(""),
    "{{result.entries.0.barcode}}",
    "$result#/entries/0/barcode",
  ])("follow a declared link of OpenRPC: %s", (expression) => {
    const link = {
      name: "part",
      operation: "getPart",
      inputs: { ean: expression, site: "{{params.at}}", day: "$result.day" },
    };
    const optional = { ...parameter("day", text), required: false };
    const live = new SuiteValues(
      rpcSuite([
        { ...method("getStock", [parameter("at", text)]), links: [link] },
        method("getPart", [parameter("ean", text), parameter("site", text), optional]),
      ]),
    );
    see(live, "getStock", { entries: [{ barcode: "4001" }] }, { at: "ABC" });
    expect(live.inputsOf("getPart", 1)).toEqual([{ ean: "4001", site: "ABC" }]);
  });

  it("prefer what a declared link names, with its constants", () => {
    const link = {
      name: "firstToy",
      operation: "/toys/{toyId}",
      inputs: { toyId: "$response.body#/favourite", view: "full" },
    };
    const toy = [parameter("toyId", text), parameter("view", text, { location: "query", required: false })];
    const live = new SuiteValues(
      httpSuite([get("/pets/{petId}", [parameter("petId", integer)], { links: [link] }), get("/toys/{toyId}", toy)]),
    );
    see(live, "/pets/{petId}", { toyId: "ball", favourite: "bone" }, { petId: 1 });
    const inputs = live.inputsOf("/toys/{toyId}", 9);
    expect(inputs[0]).toEqual({ toyId: "bone", view: "full" });
    expect(inputs).toContainEqual({ toyId: "ball" });
  });

  it("give only values of the parameter's type, digits for a number where a text is wanted", () => {
    const live = new SuiteValues(
      httpSuite([
        get("/things", []),
        get("/things/{thingId}", [parameter("thingId", { kind: "string", pattern: "^[0-9]+$" })]),
        get("/lists", [parameter("thingId", { kind: "list", element: integer }, { location: "query" })]),
      ]),
    );
    see(live, "/things", [{ thingId: "x" }, { thingId: 5 }, { thingId: null }]);
    expect(live.inputsOf("/things/{thingId}", 9)).toEqual([{ thingId: "5" }]);
    expect(live.inputsOf("/lists", 9)).toEqual([{ thingId: [5] }]);
  });

  it("know a narrow type without its name, but prefer the name", () => {
    const suite = httpSuite([get("/feed", []), get("/blobs/{digest}", [parameter("digest", hash)])]);
    const unnamed = new SuiteValues(suite);
    see(unnamed, "/feed", [hashOf("1")]);
    expect(unnamed.inputsOf("/blobs/{digest}", 9)).toEqual([{ digest: hashOf("1") }]);
    const named = new SuiteValues(suite);
    see(named, "/feed", [{ hash: hashOf("1"), digest: hashOf("2"), merkleRoot: hashOf("3") }]);
    expect(named.inputsOf("/blobs/{digest}", 9)).toEqual([{ digest: hashOf("2") }, { digest: hashOf("1") }]);
  });

  it("take no identifier of zeros, which stands where there is none", () => {
    const live = new SuiteValues(httpSuite([get("/tip", []), get("/block/{hash}", [parameter("hash", hash)])]));
    see(live, "/tip", { previousblockhash: hashOf("0") });
    expect(live.inputsOf("/block/{hash}", 9)).toEqual([]);
  });

  it("fill in what names nothing, and invent no identifier", () => {
    const live = new SuiteValues(
      rpcSuite([
        method("getpet", [
          parameter("petId", integer),
          parameter("isVerbose", { kind: "boolean" }),
          parameter("form", { kind: "enumeration", values: ["short", "long"] }),
        ]),
        method("listpets", []),
      ]),
    );
    expect(live.inputsOf("getpet", 9)).toEqual([]);
    see(live, "listpets", [{ id: 3 }]);
    expect(live.inputsOf("getpet", 9)).toEqual([{ petId: 3, isVerbose: true, form: "short" }]);
  });

  it("take nothing for how much is asked for", () => {
    const limit = parameter("limit", integer, { location: "query", required: false });
    const live = new SuiteValues(httpSuite([get("/pets", [limit])]));
    see(live, "/pets", { limit: 1_000_000, items: [] });
    expect(live.valuesOf("/pets", limit)).toEqual([]);
    expect(live.inputsOf("/pets", 9)).toEqual([{}]);
  });

  it("remember what was answered well, documented examples first", () => {
    const operation = get("/pets/{petId}", [parameter("petId", integer)], {
      examples: [{ name: "rex", input: { petId: 2 }, outcome: { kind: "success", status: 200, value: {} } }],
    });
    const live = new SuiteValues(httpSuite([operation]));
    see(live, "/pets/{petId}", { name: "Tom" }, { petId: 1 });
    see(live, "/pets/{petId}", { name: "Rex" }, { petId: 2 });
    see(live, "/pets/{petId}", { name: "Rex" }, { petId: 2 });
    expect(live.goodInputsOf("/pets/{petId}")).toEqual([{ petId: 2 }, { petId: 1 }]);
    expect(live.resultsOf("/pets/{petId}").map(({ value }) => value)).toContainEqual({ name: "Tom" });
  });

  it("hold a bounded number of values, from both ends of long lists", () => {
    const petId = parameter("petId", integer);
    const live = new SuiteValues(httpSuite([get("/pets", []), get("/pets/{petId}", [petId])]));
    see(
      live,
      "/pets",
      Array.from({ length: 100_000 }, (_none, index) => ({ id: index + 1 })),
    );
    expect(live.valuesOf("/pets/{petId}", petId)).toEqual([1, 2, 50_001, 99_999, 100_000]);
    for (let round = 1; round < 100; round += 1) see(live, "/pets", [{ id: -round }]);
    expect(live.valuesOf("/pets/{petId}", petId)).toHaveLength(50);
  });
});
