import { showJson } from "./json-difference.ts";
import type { ConformanceCase, Expectation } from "./suite.ts";

/** An expectation that points to an example becomes what that example expects. */
export function resolveExpectation(cases: readonly ConformanceCase[], expect: Expectation): Expectation {
  if (expect.kind !== "same-as") return expect;
  const example = cases.find(({ group, name }) => group === "example" && name === expect.example);
  if (example === undefined) throw new Error(`The suite has no example "${expect.example}"`);
  return example.expect;
}

/** What has to come back, in words. */
export function expectationText(expect: Expectation): string {
  switch (expect.kind) {
    case "value":
      return `success with the value ${showJson(expect.value)}`;
    case "type":
      return "success with a value of the documented type";
    case "same-as":
      return `the same as the example ${expect.example}`;
    case "failure": {
      const code = expect.status ?? expect.rpcCode ?? expect.graphqlCode;
      const sign = code === undefined ? "a failure" : `the failure ${code}`;
      return expect.message === undefined ? sign : `${sign} saying ${showJson(expect.message)}`;
    }
    case "refusal":
      return `a documented failure for a wrong input${expect.message === undefined ? "" : `, saying ${showJson(expect.message)}`}`;
    case "documented":
      return "success with a value of the documented type, or a documented failure";
    default:
      return expect satisfies never;
  }
}
