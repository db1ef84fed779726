import { expect, it } from "vitest";
import { accessName, sharedMethodName } from "./registry.ts";

it.each([
  ["verifytxoutput", "verifytxoutproof"],
  ["verifytxoutproof", "verifytxoutproof"],
  ["getblock", "getblock"],
  ["toString", "toString"],
  ["", ""],
])("gives a method and its second names one name: %s", (method, name) => {
  expect(sharedMethodName(method)).toBe(name);
  expect(accessName("rpc", method)).toBe(`rpc:${name}`);
});

it("distinguishes the switches of the interfaces", () => {
  expect(accessName("graphql", "block")).toBe("graphql:block");
  expect(accessName("rest", "block")).toBe("rest:block");
});
