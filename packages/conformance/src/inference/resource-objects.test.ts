import { expect, it } from "vitest";
import type { SuiteType } from "../suite/suite-type.ts";
import { inferFilters } from "./list-filters.ts";
import { findListType } from "./list-roles.ts";
import { withAttributes } from "./resource-objects.ts";

const text: SuiteType = { kind: "string" };
const forms: SuiteType = { kind: "enumeration", values: ["drops", "tablet"] };

function record(members: Readonly<Record<string, SuiteType>>): SuiteType {
  return {
    kind: "record",
    members: Object.entries(members).map(([name, type]) => ({ name, type, required: true })),
  };
}

it("takes attributes of resource objects for members of elements", () => {
  const attributes = { form: "drops", id: "of attributes" };
  expect(withAttributes([{ type: "medicines", id: "7", attributes }])).toEqual([
    { type: "medicines", id: "7", form: "drops" },
  ]);
  const others = [{ id: 7, attributes }, 3];
  expect(withAttributes(others)).toBe(others);
});

it("knows filters of a family by the attributes of elements", () => {
  const element = record({ type: text, id: text, attributes: record({ form: forms }) });
  const list = findListType(record({ data: { kind: "list", element } }), {});
  const filter = { name: "filter[form]", property: "filterForm", required: false, type: forms };
  const found = inferFilters([filter], list?.element ?? text, {});
  expect(found.map(({ name, path, test }) => ({ name, path, test }))).toEqual([
    { name: "filter[form]", path: ["form"], test: "is" },
  ]);
});
