import { expect, test } from "vitest";
import type { SuiteType } from "../suite/suite-type.ts";
import { createRandom } from "@nodewright/api-values";
import type { Parameter } from "./list-roles.ts";
import { unknownIdentifier } from "./unknown-identifier.ts";

function made(name: string, type: SuiteType, good: unknown): ReturnType<typeof unknownIdentifier> {
  const parameter: Parameter = { name, property: name, required: true, type };
  return unknownIdentifier(parameter, good, [good], {}, createRandom("aa"));
}

test("An identifier that nothing has is of the form of one that is known", () => {
  const text: SuiteType = { kind: "string" };
  expect(made("txid", text, "ab".repeat(32))?.value).toMatch(/^[0-9a-f]{64}$/);
  expect(made("hash", text, `0x${"ab".repeat(32)}`)?.value).toMatch(/^0x[0-9a-f]{64}$/);
  expect(made("id", text, "5a0c2b6e-1f1d-4c55-9a3e-0a1b2c3d4e01")?.value).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  expect(made("petId", { kind: "number", integer: true }, 7)).toEqual({ value: 987_654_321, isCertain: true });
});

test("An identifier is of its type, or there is none", () => {
  const short: SuiteType = { kind: "number", integer: true, maximum: 50 };
  expect(made("day", short, 7)).toBeUndefined();
  expect(made("kind", { kind: "enumeration", values: ["a", "b"] }, "a")).toBeUndefined();
  const pattern: SuiteType = { kind: "string", pattern: "^[a-z]{3}-\\d{9}$" };
  expect(made("sku", pattern, "abc-123456789")).toEqual({ value: "abc-987654321", isCertain: false });
  const numbered: SuiteType = { kind: "string", pattern: "^v-[1-9]\\d*$" };
  expect(made("id", numbered, "v-12")).toEqual({ value: "v-987654321", isCertain: true });
});

test("An identifier of digits is as long as its type says", () => {
  expect(made("id", { kind: "string" }, "4711")).toEqual({ value: "2147480011", isCertain: true });
  const short: SuiteType = { kind: "string", pattern: "^\\d{8}$" };
  const drawn = made("customerNumber", short, "47110815");
  expect(drawn).toMatchObject({ isCertain: false, mayExist: true });
  expect(drawn?.value).toMatch(/^\d{8}$/);
});

test("An address may be there although nobody used it, or be wrong by its checksum", () => {
  expect(made("address", { kind: "string" }, "bc1qexampleexample")?.isCertain).toBe(false);
  expect(made("address", { kind: "string" }, "ab".repeat(20))?.isCertain).toBe(false);
});
