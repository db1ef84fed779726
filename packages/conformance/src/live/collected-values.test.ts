import { describe, expect, it } from "vitest";
import { CollectedValues } from "./collected-values.ts";
import type { Leaf } from "./leaves.ts";
import { ranks, SlotTable } from "./slots.ts";

/** Returns the values, from members of typed objects, for a parameter of an operation that returns an object of a schema. */
function rankedFor(parameter: string, typeName: string, members: readonly Partial<Leaf>[]) {
  const parameters = [
    { name: parameter, property: parameter, location: "argument", required: true, type: { kind: "string" } },
  ] as const;
  const operation = { name: "find", method: "find", parameters, links: [], examples: [], typeName };
  const values = new CollectedValues(new SlotTable([operation], {}), {});
  const own = { typeNames: [], remoteTypeNames: [], isOfSchema: true, isPlain: false };
  const leaves = members.map((one) => ({ ...own, name: "id", value: "", ...one }));
  values.collectScopes([{ parent: undefined, leaves }]);
  return values.rankedOf("find", parameter);
}

describe("members of objects whose types a schema names", () => {
  it("are keys of the operation that returns the type", () => {
    const members = [
      { typeNames: ["order", "node"], value: "o1" },
      { name: "email", typeNames: ["order"], value: "o2" },
    ];
    expect(rankedFor("id", "order", members)[0]).toMatchObject({ value: "o1", rank: ranks.declared });
    expect(rankedFor("orderId", "order", members)[0]).toMatchObject({ value: "o1", rank: ranks.declared });
    expect(rankedFor("email", "order", members)[0]).toMatchObject({ value: "o2", rank: ranks.declared });
    expect(rankedFor("id", "node", members)[0]).toMatchObject({ value: "o1", rank: ranks.declared });
  });

  it("are no keys of an operation that returns another type", () => {
    const ranked = rankedFor("id", "order", [{ typeNames: ["orderitem"], value: "i1" }]);
    expect(ranked.map(({ value }) => value)).toEqual(["i1"]);
    expect(ranked[0]?.rank).toBeGreaterThan(ranks.name);
    expect(
      rankedFor("email", "user", [{ name: "email", typeNames: ["invoice"], value: "a@b.example" }])[0]?.rank,
    ).not.toBe(ranks.declared);
  });

  it("come after those that are nearer", () => {
    const far = { typeNames: ["order"], value: "far", distance: 0.5 };
    expect(rankedFor("id", "order", [far, { ...far, value: "near", distance: 0.01 }])).toMatchObject([
      { value: "near", rank: 0.01 },
      { value: "far", rank: 0.5 },
    ]);
  });
});
