import { describe, expect, it } from "vitest";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { MethodFailure, describedListener, type Methods } from "./testing/described-server.ts";
import { required, describedMethod, describedSuite, failure } from "./testing/described-suite.ts";

const driverId: SuiteType = { kind: "string", pattern: "^D-[0-9]$" };
const record = (members: Readonly<Record<string, SuiteType>>): SuiteType => ({
  kind: "record",
  members: Object.entries(members).map(([name, type]) => ({ name, type, required: true })),
});
const driver = record({ driverId, name: { kind: "string" } });

const suite = describedSuite("desk", [
  describedMethod("listdrivers", { kind: "list", element: driver }, []),
  describedMethod("getdriver", driver, [required("driverId", driverId)], {
    failures: [failure(4, "Driver not found")],
  }),
  describedMethod("getshift", record({ hours: { kind: "number", integer: true } }), [required("driverId", driverId)], {
    failures: [failure(4, "Driver not found")],
  }),
]);

const names = ["Ann", "Ben", "Cem", "Dan", "Eva", "Fay", "Gus", "Hal", "Ida"];
const drivers = names.map((name, index) => ({ driverId: `D-${index}`, name }));

function driverOf(wanted: unknown): (typeof drivers)[number] {
  const found = drivers.find((one) => one.driverId === wanted);
  if (found === undefined) throw new MethodFailure(4, "Driver not found");
  return found;
}

/** Nearly every id that the pattern allows exists, and the list returns two of them. */
const right: Methods = {
  listdrivers: () => drivers.slice(0, 2),
  getdriver: ({ driverId: wanted }) => driverOf(wanted),
  getshift: ({ driverId: wanted }) => ({ hours: driverOf(wanted).name.length }),
};

async function failed(changes: Methods, seed: string): Promise<readonly string[]> {
  const baseUrl = await serve(describedListener(suite, { ...right, ...changes }));
  const { cases } = await playSuite(suite, { baseUrl, seed, rate: 10_000, concurrency: 8 });
  return cases.filter(({ verdict }) => verdict === "failed").map(({ id }) => id);
}

describe("what was drawn from few", () => {
  it.each(["a", "b", "c", "d"])("may be there: seed %s", async (seed) => {
    expect(await failed({}, seed)).toEqual([]);
  });

  it("is not answered with another one", async () => {
    const careless: Methods = {
      getdriver: ({ driverId: wanted }) => drivers.slice(0, 2).find((one) => one.driverId === wanted) ?? drivers[0],
    };
    expect(await failed(careless, "a")).toContain("getdriver/negative/driver-id-unknown");
  });
});
