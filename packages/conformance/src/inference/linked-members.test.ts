import { expect, test } from "vitest";
import { rpcMethod } from "../run/testing/suites.ts";
import type { SuiteLink, SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import { linkedMembersOf } from "./linked-members.ts";

const ean: SuiteParameter = {
  name: "ean",
  property: "ean",
  location: "query",
  required: true,
  type: { kind: "string" },
};

function memberLinkedBy(...expressions: readonly string[]): string | undefined {
  const links = expressions.map((one): SuiteLink => ({ name: one, operation: "getPart", inputs: { ean: one } }));
  const stock: SuiteRpcMethod = { ...rpcMethod("getStock", { kind: "any" }), links };
  const part: SuiteRpcMethod = { ...rpcMethod("getPart", { kind: "any" }), parameters: [ean] };
  return linkedMembersOf([stock, part], ({ parameters }) => parameters[0]).get(ean);
}

test.each([
  [["$result.entries[0].barcode"], "barcode"],
  [["{{result.0.barcode}}", "$result#/0/barcode"], "barcode"],
  [["$result.entries[0].barcode", "$result.entries[0].code"], undefined],
  [["$result.entries[0].nextBarcode"], undefined],
  [["$result.barcode"], undefined],
  [["$response.body#/items/0/ref"], "ref"],
] as const)("Of links %j the member that names an element is %s", (expressions, member) => {
  expect(memberLinkedBy(...expressions)).toBe(member);
});
