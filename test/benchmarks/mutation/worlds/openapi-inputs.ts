import { type AnySchema, Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Request } from "express";

interface DocumentedParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** What a request says, read by the document; or why it can't be. */
type Inputs =
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly problem: string; readonly parameter: string };

/** Reads the parameters of one operation as strictly as they are documented; what is not documented is not looked at. */
export type InputReader = (request: Request) => Inputs;

/** Makes the readers of all operations of an OpenAPI document, by `operationId`. */
export function createInputReaders(document: unknown): ReadonlyMap<string, InputReader> {
  const root = document as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly components: { readonly parameters?: Readonly<Record<string, DocumentedParameter>> };
  };
  const ajv = new Ajv2020({ strict: false, coerceTypes: false, validateFormats: false, allErrors: true });
  ajv.addSchema(root as AnySchema, "document");
  const readers = new Map<string, InputReader>();
  for (const item of Object.values(root.paths)) {
    for (const candidate of Object.values(item)) {
      const operation = candidate as { readonly operationId?: string; readonly parameters?: readonly unknown[] };
      if (operation.operationId === undefined) {
        continue;
      }
      const parameters = (operation.parameters ?? []).map((parameter) => resolveParameter(root, parameter));
      const checks = parameters.map((parameter) => ({ parameter, check: ajv.compile(absolute(parameter.schema)) }));
      readers.set(operation.operationId, (request) => readInputs(checks, request));
    }
  }
  return readers;
}

function resolveParameter(
  root: { readonly components: { readonly parameters?: Readonly<Record<string, DocumentedParameter>> } },
  parameter: unknown,
): DocumentedParameter {
  const reference = (parameter as { readonly $ref?: string }).$ref;
  const found = reference === undefined ? parameter : root.components.parameters?.[reference.split("/").at(-1) ?? ""];
  return found as DocumentedParameter;
}

/** The schema with references that start at the document. */
function absolute(schema: unknown): AnySchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#')) as AnySchema;
}

function readInputs(
  checks: readonly { readonly parameter: DocumentedParameter; readonly check: ValidateFunction }[],
  request: Request,
): Inputs {
  const values: Record<string, unknown> = {};
  for (const { parameter, check } of checks) {
    const { name } = parameter;
    const given = parameter.in === "path" ? request.params[name] : request.query[name];
    if (given === undefined) {
      if (parameter.required === true) {
        return { problem: `${name} is required`, parameter: name };
      }
      values[name] = parameter.schema["default"];
      continue;
    }
    if (typeof given !== "string") {
      return { problem: `${name} is given more than once`, parameter: name };
    }
    const value = [given, numberOf(given), booleanOf(given)].find((way) => way !== undefined && check(way));
    if (value === undefined) {
      return { problem: `${name} is not valid`, parameter: name };
    }
    values[name] = value;
  }
  return { values };
}

function numberOf(text: string): number | undefined {
  return /^-?(0|[1-9][0-9]{0,15})(\.[0-9]+)?$/.test(text) ? Number(text) : undefined;
}

function booleanOf(text: string): boolean | undefined {
  return text === "true" ? true : text === "false" ? false : undefined;
}
