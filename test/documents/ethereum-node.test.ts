import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Descriptor {
  readonly $ref?: string;
  readonly name: string;
  readonly summary?: string;
  readonly required?: boolean;
  readonly schema: object;
}

interface RpcError {
  readonly $ref?: string;
  readonly "x-provoked-by"?: readonly { readonly name: string; readonly params: readonly unknown[] }[];
}

interface Method {
  readonly name: string;
  readonly summary?: string;
  readonly paramStructure?: string;
  readonly params: readonly Descriptor[];
  readonly result: Descriptor;
  readonly errors?: readonly RpcError[];
  readonly examples?: readonly {
    readonly name: string;
    readonly params: readonly { readonly name: string; readonly value: unknown }[];
    readonly result: { readonly name: string; readonly value: unknown };
  }[];
}

interface OpenRpcDocument {
  readonly methods: readonly Method[];
  readonly components: {
    readonly contentDescriptors: Readonly<Record<string, Descriptor>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

/** The package's own declarations are TypeScript sources that our options refuse. */
const { validateOpenRPCDocument } = createRequire(import.meta.url)("@open-rpc/schema-utils-js") as {
  readonly validateOpenRPCDocument: (document: unknown) => unknown;
};

const document = parse(
  readFileSync(new URL("../../specs/ethereum-node/openrpc.yaml", import.meta.url), "utf8"),
) as OpenRpcDocument;

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false, strictRequired: false });
ajv.addVocabulary(["x-volatile"]);
ajv.addSchema({ $id: "document", $defs: withReferences(document.components.schemas) });

/** The document's references as ajv finds them. */
function withReferences(schemas: object): object {
  const text = JSON.stringify(schemas).replaceAll('"#/components/schemas/', '"document#/$defs/');
  return JSON.parse(text) as object;
}

function resolve(descriptor: Descriptor): Descriptor {
  const name = descriptor.$ref?.replace("#/components/contentDescriptors/", "");
  if (name === undefined) return descriptor;
  const target = document.components.contentDescriptors[name];
  if (target === undefined) throw new Error(`${name} is not described`);
  return target;
}

/** What ajv finds wrong with a value under a schema of the document. */
function problems(schema: object, value: unknown): unknown {
  const validate = ajv.compile(withReferences(schema));
  return validate(value) ? [] : validate.errors;
}

it("is a valid OpenRPC document", () => {
  expect(validateOpenRPCDocument(structuredClone(document))).toBe(true);
});

it("describes each method once", () => {
  const names = document.methods.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

describe.each(document.methods.map((method) => [method.name, method] as const))("%s", (_name, method) => {
  it("is described for a person and takes its parameters by position", () => {
    expect(method.summary).toMatch(/\.$/);
    expect(method.paramStructure).toBe("by-position");
    for (const parameter of method.params.map(resolve)) expect(parameter.summary).toMatch(/\.$/);
  });

  it("has examples that match its schemas", () => {
    const parameters = method.params.map(resolve);
    for (const example of method.examples ?? []) {
      expect(example.params.map(({ name }) => name)).toEqual(parameters.map(({ name }) => name));
      for (const [position, { value }] of example.params.entries()) {
        expect(problems(parameters[position]?.schema ?? { not: {} }, value), example.name).toEqual([]);
      }
      expect(example.result.name).toBe(method.result.name);
      expect(problems(method.result.schema, example.result.value), example.name).toEqual([]);
    }
  });

  it("has schemas that refuse something else", () => {
    for (const { schema } of [...method.params.map(resolve), method.result]) {
      expect(problems(schema, { unexpected: [] }), JSON.stringify(schema)).toSatisfy(
        (found) => (Array.isArray(found) && found.length > 0) || takesOpenObjects.has(JSON.stringify(schema)),
      );
    }
  });
});

/** Objects whose members are all optional take any object. */
const takesOpenObjects = new Set(
  ["CallRequest", "LogFilter"].map((name) => JSON.stringify({ $ref: `#/components/schemas/${name}` })),
);
