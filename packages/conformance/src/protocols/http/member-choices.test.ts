import { describe, expect, test } from "vitest";
import { httpOperation, httpSuite } from "../../run/testing/suites.ts";
import type { SuiteParameter } from "../../suite/suite.ts";
import type { RecordMember, SuiteType } from "../../suite/suite-type.ts";
import { type TestRequest, failedRules, type TestResponse } from "./testing/failed-rules.ts";

const integer: SuiteType = { kind: "number", integer: true };
const text: SuiteType = { kind: "string" };

function member(name: string, type: SuiteType, required = false): RecordMember {
  return { name, type, required };
}

const crew: SuiteType = { kind: "record", members: [member("name", text, true)] };
const ship: SuiteType = {
  kind: "record",
  members: [
    member("id", integer, true),
    member("name", text),
    member("port", text),
    member("built", integer),
    member("crewIds", { kind: "list", element: integer }),
    member("crew", { kind: "list", element: crew }),
    member("owner", crew),
  ],
};

function query(name: string, type: SuiteType, more: Partial<SuiteParameter> = {}): SuiteParameter {
  return { name, property: name, location: "query", required: false, type, ...more };
}

const names: SuiteType = { kind: "string", pattern: "^[a-z]+(?:,[a-z]+)*$" };
const parts: SuiteType = { kind: "list", element: { kind: "enumeration", values: ["crew", "owner"] }, minItems: 1 };
const nothing: SuiteType = { kind: "any" };
const failures = ([400, 404] as const).map((status) => ({
  name: status === 400 ? "Invalid" : "NotFound",
  status,
  contents: [{ mediaType: "application/json", form: "json" as const, type: nothing }],
  headers: [],
}));

const fleet = httpSuite([
  httpOperation(
    "listShips",
    "/ships",
    { kind: "list", element: ship },
    { parameters: [query("fields", names, { examples: ["name,port"] })], failures },
  ),
  httpOperation("getShip", "/ships/{shipId}", ship, {
    parameters: [
      { name: "shipId", property: "shipId", location: "path", required: true, type: { ...integer, minimum: 1 } },
      query("expand", parts, { explode: false }),
    ],
    failures,
  }),
]);

const ships = Array.from({ length: 5 }, (_none, index) => ({
  id: 10 + index,
  name: `Ship ${index}`,
  port: ["Brest", "Gdynia"][index % 2],
  built: 1990 + index,
  crewIds: [index + 1, index + 2],
}));

interface Fault {
  readonly fields?: (requested: string | null) => string | null;
  readonly expand?: (requested: readonly string[]) => readonly string[];
}

function harbour({ fields = (requested) => requested, expand = (requested) => requested }: Fault = {}) {
  return ({ path, query: given }: TestRequest): TestResponse => {
    const requested = given.get("fields");
    if (path === "/ships") {
      if (requested !== null && !/^[a-z]+(?:,[a-z]+)*$/.test(requested)) return { status: 400, body: {} };
      const kept = fields(requested)?.split(",");
      const shown = (one: object): object =>
        Object.fromEntries(Object.entries(one).filter(([name]) => name === "id" || (kept?.includes(name) ?? true)));
      return { status: 200, body: ships.map(shown) };
    }
    const id = /^\/ships\/([1-9]\d{0,8})$/.exec(path)?.[1];
    if (id === undefined) return { status: path.startsWith("/ships/") ? 400 : 404, body: {} };
    const found = ships.find((one) => String(one.id) === id);
    const wanted = given.get("expand")?.split(",") ?? [];
    if (!wanted.every((part) => part === "crew" || part === "owner")) return { status: 400, body: {} };
    if (found === undefined) return { status: 404, body: {} };
    const added = expand(wanted);
    return {
      status: 200,
      body: {
        ...found,
        ...(added.includes("crew") ? { crew: found.crewIds.map((one) => ({ name: `Sailor ${one}` })) } : {}),
        ...(added.includes("owner") ? { owner: { name: `Line ${found.id}` } } : {}),
      },
    };
  };
}

describe("A parameter that takes names of members", () => {
  test("is right where it leaves out the others, or adds what it names", async () => {
    expect(await failedRules(fleet, harbour())).toEqual([]);
  });

  test("is blamed where it changes nothing", async () => {
    expect(await failedRules(fleet, harbour({ fields: () => null }))).toEqual(["P025"]);
  });

  test("is blamed where it lets one name alone count", async () => {
    expect(await failedRules(fleet, harbour({ fields: (requested) => requested?.split(",")[0] ?? null }))).toEqual([
      "P025",
    ]);
    expect(await failedRules(fleet, harbour({ expand: (requested) => requested.slice(-1) }))).toEqual(["P025"]);
  });

  test("is blamed where it does not add what the object refers to", async () => {
    expect(
      await failedRules(fleet, harbour({ expand: (requested) => requested.filter((part) => part !== "crew") })),
    ).toEqual(["P025"]);
  });

  test("is not blamed where there may be nothing to add", async () => {
    expect(
      await failedRules(fleet, harbour({ expand: (requested) => requested.filter((part) => part !== "owner") })),
    ).toEqual([]);
  });
});
