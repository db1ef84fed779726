import type { RpcSuite, SuiteFailure, SuiteParameter, SuiteRpcMethod } from "../../../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../../../suite/suite-type.ts";

export function required(name: string, type: SuiteType, more: Partial<SuiteParameter> = {}): SuiteParameter {
  return { name, property: name, location: "argument", required: true, type, ...more };
}

export function optional(name: string, type: SuiteType, more: Partial<SuiteParameter> = {}): SuiteParameter {
  return required(name, type, { required: false, ...more });
}

export function failure(rpcCode: number, message: string, more: Partial<SuiteFailure> = {}): SuiteFailure {
  return { name: message.replaceAll(" ", ""), rpcCode, message, contents: [], headers: [], ...more };
}

/** Returns a method with parameters by name, unless `more` overrides this. */
export function describedMethod(
  name: string,
  type: SuiteType,
  parameters: readonly SuiteParameter[],
  more: Partial<SuiteRpcMethod> = {},
): SuiteRpcMethod {
  return {
    name: name.replaceAll(/\.(.)/g, (_all, letter: string) => letter.toUpperCase()),
    method: name,
    origin: name,
    tags: [],
    parameters,
    parameterStructure: "by-name",
    successes: [{ status: 200, headers: [], content: { mediaType: "application/json", form: "json", type } }],
    failures: [],
    examples: [],
    links: [],
    relations: [],
    extensions: { disabledByDefault: false, nodeControl: false, units: 1 },
    ...more,
  };
}

export function describedSuite(name: string, operations: readonly SuiteRpcMethod[], types: SuiteTypes = {}): RpcSuite {
  return {
    format: 2,
    protocol: "rpc",
    name,
    title: name,
    version: "1",
    source: `${name}.json`,
    security: {},
    types,
    envelope: "one",
    operations,
  };
}
