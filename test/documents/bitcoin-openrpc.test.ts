import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Reference {
  readonly $ref?: string;
}

interface Schema extends Reference {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
}

interface Descriptor extends Reference {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface RpcError extends Reference {
  readonly code: number;
  readonly message: string;
  readonly "x-provoked-by"?: readonly {
    readonly name: string;
    readonly params: readonly unknown[];
    readonly message?: string;
  }[];
}

interface Method {
  readonly name: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly Reference[];
  readonly params: readonly Descriptor[];
  readonly result: Descriptor;
  readonly errors: readonly RpcError[];
  readonly examples: readonly {
    readonly name: string;
    readonly params: readonly { readonly name: string; readonly value: unknown }[];
    readonly result: { readonly name: string; readonly value: unknown };
  }[];
  readonly "x-disabled-by-default"?: boolean;
  readonly "x-node-control"?: boolean;
  readonly "x-safe"?: boolean;
  readonly "x-served-by"?: string;
}

interface OpenRpcDocument {
  readonly methods: readonly Method[];
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The package's own declarations are TypeScript sources that our options refuse. */
const { validateOpenRPCDocument } = createRequire(import.meta.url)("@open-rpc/schema-utils-js") as {
  readonly validateOpenRPCDocument: (document: unknown) => unknown;
};

const document = parse(
  readFileSync(new URL("../../specs/bitcoin/openrpc.yaml", import.meta.url), "utf8"),
) as OpenRpcDocument;

const ajv = new Ajv2020({ strict: false, formats: { "bitcoin-amount": true } });
ajv.addSchema({ $id: "document", $defs: withReferences(document.components.schemas) });

/** The document's references as ajv finds them. */
function withReferences(schemas: object): object {
  const text = JSON.stringify(schemas).replaceAll('"#/components/schemas/', '"document#/$defs/');
  return JSON.parse(text) as object;
}

function resolve<Target extends Reference>(reference: Target): Target {
  if (reference.$ref === undefined) return reference;
  let target: unknown = document;
  for (const token of reference.$ref.slice(2).split("/")) target = (target as Readonly<Record<string, unknown>>)[token];
  if (target === undefined) throw new Error(`${reference.$ref} is not there`);
  return target as Target;
}

/** What ajv finds wrong with a value under a schema of the document. */
function problems(schema: object, value: unknown): unknown {
  const validate = ajv.compile(withReferences(schema));
  return validate(value) ? [] : validate.errors;
}

/** Places below a schema whose members nobody described. */
function undescribed(schema: Schema, place: string): string[] {
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    ...(described(member) ? [] : [`${place}.${name}`]),
    ...undescribed(member, `${place}.${name}`),
  ]);
  const { additionalProperties: rest } = schema;
  const inner = [schema.items, ...(schema.oneOf ?? []), typeof rest === "object" ? rest : undefined];
  return [...members, ...inner.flatMap((part) => (part === undefined ? [] : undescribed(part, place)))];
}

function described(schema: Schema): boolean {
  return schema.description !== undefined || resolve(schema).description !== undefined;
}

function methodNamed(name: string): Method {
  const method = document.methods.find((candidate) => candidate.name === name);
  if (method === undefined) throw new Error(`${name} is not described`);
  return method;
}

const specified = [
  "getbestblockhash getblock getblockcount getblockhash getblockheader getdifficulty getinfo getnettotals",
  "getnetworkhashps getrawmempool getrawtransaction help",
].flatMap((line) => line.split(" "));

const helpList = [
  "addnode createrawtransaction debuglevel decoderawtransaction decodescript estimatefee generate getaddednodeinfo",
  "getbestblock getbestblockhash getblock getblockchaininfo getblockcount getblockhash getblockheader getblocktemplate",
  "getcfilter getcfilterheader getconnectioncount getcurrentnet getdifficulty getgenerate gethashespersec getheaders",
  "getinfo getmempoolinfo getmininginfo getnettotals getnetworkhashps getpeerinfo getrawmempool getrawtransaction",
  "gettxout help node ping searchrawtransactions sendrawtransaction setgenerate stop submitblock uptime",
  "validateaddress verifychain verifymessage version",
].flatMap((line) => line.split(" "));

const disabledList = [
  "createrawtransaction decoderawtransaction decodescript addnode getaddednodeinfo getchaintips getchaintxstats",
  "getmempoolancestors getmempooldescendants getmempoolentry getmempoolinfo gettxout gettxoutproof gettxoutsetinfo",
  "getmemoryinfo getrpcinfo preciousblock pruneblockchain savemempool scantxoutset verifychain verifytxoutput",
].flatMap((line) => line.split(" "));

const nodeControl = [
  "stop node addnode debuglevel generate setgenerate invalidateblock reconsiderblock preciousblock pruneblockchain",
  "savemempool submitblock",
].flatMap((line) => line.split(" "));

it("is a valid OpenRPC document", () => {
  expect(validateOpenRPCDocument(structuredClone(document))).toBe(true);
});

it("describes each method once", () => {
  const names = document.methods.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

it("describes every command that help names, and those that are off by default", () => {
  const names = document.methods.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...specified, ...helpList, ...disabledList, "rpc.discover"]));
});

it("has off by default what is off by default, and nothing that help calls available", () => {
  for (const name of disabledList) expect(methodNamed(name)["x-disabled-by-default"], name).toBe(true);
  for (const name of helpList.filter((candidate) => !disabledList.includes(candidate))) {
    expect(methodNamed(name)["x-disabled-by-default"], name).toBeUndefined();
  }
});

it("keeps an alias and what it stands for alike", () => {
  const marks = ({ name: _name, summary: _summary, description: _description, ...rest }: Method) => rest;
  expect(marks(methodNamed("verifytxoutput"))).toEqual(marks(methodNamed("verifytxoutproof")));
});

it("marks the methods that act on the node itself, and calls none of them safe", () => {
  const marked = document.methods.filter((method) => method["x-node-control"] === true);
  expect(marked.map(({ name }) => name).sort()).toEqual([...nodeControl].sort());
  for (const method of marked) expect(method["x-safe"], method.name).toBe(false);
});

it("describes every member of its shared schemas", () => {
  const missing = Object.entries(document.components.schemas).flatMap(([name, schema]) => [
    ...(schema.description === undefined ? [name] : []),
    ...undescribed(schema, name),
  ]);
  expect(missing).toEqual([]);
});

describe.each(document.methods.map((method) => [method.name, method] as const))("%s", (_name, method) => {
  it("is described for a person", () => {
    expect(method.summary).toMatch(/\.$/);
    expect(method.description).toMatch(/\.\n?$/);
    expect(method.tags.map(resolve)).not.toEqual([]);
    for (const descriptor of [...method.params, method.result].map(resolve)) {
      expect(descriptor.description, descriptor.name).toMatch(/\.\n?$/);
      expect(undescribed(descriptor.schema, descriptor.name)).toEqual([]);
    }
    expect(["index", "node"]).toContain(method["x-served-by"]);
    expect(method["x-safe"]).toBeTypeOf("boolean");
  });

  it("has its required parameters first", () => {
    const required = method.params.map((parameter) => resolve(parameter).required === true);
    expect(required).toEqual(required.toSorted((left, right) => Number(right) - Number(left)));
  });

  it("has one error for each code, and requests that break its parameters where it says so", () => {
    const errors = method.errors.map(resolve);
    const parameters = method.params.map(resolve);
    expect(errors.length).toBeGreaterThan(0);
    expect(new Set(errors.map(({ code }) => code)).size).toBe(errors.length);
    for (const error of errors.filter(({ code }) => code === -3)) {
      for (const { name, params, message } of error["x-provoked-by"] ?? []) {
        // What has a text of its own is a mistake in the value of a parameter, which a schema need not see.
        if (message !== undefined) continue;
        const wrong = params.filter((value, position) => {
          const schema = parameters[position]?.schema;
          return schema !== undefined && !isRight(schema, value);
        });
        expect(wrong, name).not.toEqual([]);
      }
    }
  });

  it("has examples that match its schemas", () => {
    const parameters = method.params.map(resolve);
    expect(method.examples).not.toEqual([]);
    expect(new Set(method.examples.map(({ name }) => name)).size).toBe(method.examples.length);
    for (const example of method.examples) {
      const names = example.params.map(({ name }) => name);
      expect(names).toEqual(parameters.slice(0, names.length).map(({ name }) => name));
      for (const [position, { value }] of example.params.entries()) {
        expect(problems(parameters[position]?.schema ?? { not: {} }, value), example.name).toEqual([]);
      }
      expect(example.result.name).toBe(resolve(method.result).name);
      expect(problems(resolve(method.result).schema, example.result.value), example.name).toEqual([]);
    }
  });
});

describe.each(specified.map((name) => [name, methodNamed(name)] as const))("%s, in full", (name, method) => {
  it("has an example of each form of its result", () => {
    const schema = resolve(method.result).schema;
    for (const form of schema.oneOf ?? [schema]) {
      const matching = method.examples.filter(({ result }) => isRight(form, result.value));
      expect(matching.length, `${name}: ${JSON.stringify(form)}`).toBeGreaterThan(0);
    }
  });

  it("has requests that provoke each of its errors", () => {
    for (const error of method.errors) expect(error["x-provoked-by"]?.length, `${error.code}`).toBeGreaterThan(0);
  });
});

function isRight(schema: object, value: unknown): boolean {
  const found = problems(schema, value);
  return Array.isArray(found) && found.length === 0;
}
