import { type JsonSchema, jsonTypes, type SchemaResolver } from "./json-schema.ts";
import { memberLines, schemaFacts } from "./schema-text.ts";

interface Reference {
  readonly $ref?: string;
}

interface Descriptor extends Reference {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface ErrorObject extends Reference {
  readonly code: number;
  readonly message: string;
}

interface ExampleValue extends Reference {
  readonly value?: unknown;
}

interface ExamplePairing extends Reference {
  readonly params: readonly ExampleValue[];
}

interface Method extends Reference {
  readonly name: string;
  readonly summary?: string;
  readonly description?: string;
  readonly params: readonly Descriptor[];
  readonly result?: Descriptor;
  readonly errors?: readonly ErrorObject[];
  readonly examples?: readonly ExamplePairing[];
  readonly "x-served-by"?: string;
}

/** Part of an OpenRPC document that help and discovery need. */
export interface OpenRpcDocument {
  readonly openrpc: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly methods: readonly Method[];
  readonly components?: Readonly<Record<string, unknown>>;
}

/** Description of a parameter or a result for a person. */
export interface CommandValue {
  readonly name: string;
  readonly description: string;
  /** JSON types in the terms of JSON Schema; none when every value is allowed. */
  readonly types: readonly string[];
  readonly required: boolean;
  /** Possible values, in words. */
  readonly facts: string;
  /** Members of objects in it, a line for each. */
  readonly memberLines: readonly string[];
  /** Default value as JSON; absent if the parameter has no default. */
  readonly default?: unknown;
}

/** Description of a method for a person. */
export interface Command {
  readonly name: string;
  readonly description: string;
  /** Parameters by position. */
  readonly parameters: readonly CommandValue[];
  readonly result: CommandValue | undefined;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
  /** Parameters of a meaningful call, by position. */
  readonly exampleParameters: readonly unknown[];
  /** Whether the upstream node serves the method. */
  readonly isServedByNode: boolean;
}

/** Description of the interface. */
export interface CommandReference {
  /** Commands by name. */
  readonly commands: ReadonlyMap<string, Command>;
  readonly document: OpenRpcDocument;
}

/** Creates the reference from a document that is known to be valid OpenRPC. */
export function createCommandReference(document: OpenRpcDocument): CommandReference {
  const commands = document.methods.map((method) => commandOf(method, document));
  return { commands: new Map(commands.map((command) => [command.name, command])), document };
}

function commandOf(method: Method, document: OpenRpcDocument): Command {
  const result = method.result === undefined ? undefined : commandValue(method.result, document);
  return {
    name: method.name,
    description: (method.description ?? method.summary ?? "").trim(),
    parameters: method.params.map((parameter) => commandValue(parameter, document)),
    result,
    errors: (method.errors ?? []).map((error) => {
      const { code, message } = resolved(error, document);
      return { code, message };
    }),
    exampleParameters: exampleParameters(method, document),
    isServedByNode: method["x-served-by"] === "node",
  };
}

/** Returns the parameters of the first example; without one, no call is shown that would be rejected. */
function exampleParameters({ examples = [] }: Method, document: OpenRpcDocument): readonly unknown[] {
  const [example] = examples;
  if (example === undefined) return [];
  return resolved(example, document).params.map((parameter) => resolved(parameter, document).value ?? null);
}

function commandValue(reference: Descriptor, document: OpenRpcDocument): CommandValue {
  const { name, description = "", required = false, schema } = resolved(reference, document);
  const resolve: SchemaResolver = (target) => resolved({ $ref: target }, document) as JsonSchema;
  return {
    name,
    description: description.trim(),
    types: jsonTypes(schema, resolve),
    required,
    facts: schemaFacts(schema, resolve),
    memberLines: memberLines(schema, resolve),
    ...(schema.default === undefined ? {} : { default: schema.default }),
  };
}

/** Resolves a reference; any other value is returned unchanged. */
function resolved<Value extends Reference>(value: Value, document: OpenRpcDocument): Value {
  if (value.$ref === undefined) return value;
  const target = value.$ref.split("/").slice(1).reduce<unknown>(member, document);
  if (target === undefined) throw new Error(`The description has no ${value.$ref}`);
  return target as Value;
}

function member(owner: unknown, name: string): unknown {
  return typeof owner === "object" && owner !== null
    ? (owner as Readonly<Record<string, unknown>>)[name.replaceAll("~1", "/").replaceAll("~0", "~")]
    : undefined;
}
