import type { HttpSuite, RpcSuite, SuiteHttpOperation, SuiteRpcMethod } from "../../suite/suite.ts";
import type { SuiteType } from "../../suite/suite-type.ts";

const base = {
  tags: [],
  parameters: [],
  failures: [],
  examples: [],
  links: [],
  relations: [],
  extensions: { disabledByDefault: false, nodeControl: false, units: 1 },
} as const;

/** Returns an operation without inputs and with a JSON response of status 200. */
export function httpOperation(
  name: string,
  path: string,
  type: SuiteType,
  more: Partial<SuiteHttpOperation> = {},
): SuiteHttpOperation {
  const method = more.method ?? "GET";
  return {
    ...base,
    name,
    origin: `${method} ${path}`,
    method,
    path,
    successes: [{ status: 200, content: { mediaType: "application/json", form: "json", type }, headers: [] }],
    ...more,
  };
}

export function httpSuite(operations: readonly SuiteHttpOperation[], more: Partial<HttpSuite> = {}): HttpSuite {
  return {
    format: 2,
    protocol: "http",
    name: "small",
    title: "Small",
    version: "1.0.0",
    source: "small.yaml",
    security: {},
    types: {},
    operations,
    ...more,
  };
}

/** Returns a method without parameters. */
export function rpcMethod(method: string, type: SuiteType, more: Partial<SuiteRpcMethod> = {}): SuiteRpcMethod {
  return {
    ...base,
    name: method,
    origin: method,
    method,
    successes: [{ status: 200, content: { mediaType: "application/json", form: "json", type }, headers: [] }],
    ...more,
  };
}

export function rpcSuite(operations: readonly SuiteRpcMethod[], more: Partial<RpcSuite> = {}): RpcSuite {
  return {
    format: 2,
    protocol: "rpc",
    envelope: "one",
    name: "small",
    title: "Small",
    version: "1.0.0",
    source: "small.json",
    security: {},
    types: {},
    operations,
    ...more,
  };
}

export const integer: SuiteType = { kind: "number", integer: true };
export const text: SuiteType = { kind: "string" };
