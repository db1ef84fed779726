import {
  type ApiModel,
  type Example,
  type ExampleInput,
  type GraphqlDocument,
  type JsonValue,
  isOfType,
  kebabCase,
  type Operation,
  type Parameter,
  resolveType,
} from "@nodewright/model";
import { isItemSequence } from "@nodewright/output";
import { type Probe, probesOf } from "./probes.ts";

/** The runner's `Expectation`. */
type Expectation = Readonly<Record<string, JsonValue>> & { readonly kind: string };

/** The runner's `ConformanceCase`. */
export interface Case {
  readonly name: string;
  readonly group: "example" | "failure" | "parameter";
  readonly input: ExampleInput;
  readonly params?: readonly JsonValue[] | Readonly<Record<string, JsonValue>>;
  readonly expect: Expectation;
}

/** Names of RPC methods that only read, with or without a namespace. */
const readingName =
  /^(?:[a-z0-9]+_)?(?:get|list|decode|validate|verify|estimate|help$|uptime$|version$|ping$|call$|block|chain|gas|fee|sync|max|net|protocol|client)/i;

/** Whether an operation changes something: then nothing but what its document shows is asked of it. */
export function changesSomething({ binding, marks }: Operation): boolean {
  if (marks.safe !== undefined) return !marks.safe;
  if (binding.kind === "graphql") return binding.root === "mutation";
  if (binding.kind === "http") return binding.method !== "GET" && binding.method !== "HEAD";
  return marks.nodeControl || !readingName.test(binding.method);
}

/** All cases of an operation: its examples and failures, and for one that only reads what its inputs allow and refuse. */
export function operationCases(operation: Operation, model: ApiModel): readonly Case[] {
  const documented = operation.examples.map((example) => exampleCase(example, hasSequence(operation, example)));
  if (changesSomething(operation)) return documented;
  return withUniqueNames([...documented, ...parameterCases(operation, model)]);
}

/** All cases of a GraphQL operation document. */
export function documentCases(document: GraphqlDocument, model: ApiModel): readonly Case[] {
  const documented = document.examples.map((example) => exampleCase(example, false));
  if (document.root === "mutation") return documented;
  return withUniqueNames([...documented, ...variableCases(document, model)]);
}

/** JSON-RPC 2.0, section 5.1. */
const invalidParams = -32602;

/** Documented failures that no case provokes. The key's are the runner's; `default` stands for those that have no name. */
export function unprovokedFailures({ failures }: Operation, cases: readonly Case[]): readonly string[] {
  const isProvoked = (member: string, value: JsonValue): boolean =>
    cases.some(({ expect }) => expect.kind === "failure" && expect[member] === value);
  const isRefused = cases.some(({ expect }) => expect.kind === "refusal");
  return failures
    .filter(({ status, rpcCode }) => {
      if (rpcCode !== undefined) return !isProvoked("rpcCode", rpcCode) && !(rpcCode === invalidParams && isRefused);
      if (typeof status !== "number" || status === 401 || status >= 500) return false;
      return !isProvoked("status", status) && !(status === 400 && isRefused);
    })
    .map(({ name }) => name);
}

/** Whether an example is answered item by item: a document can show no more than some of the items, in no agreed form. */
function hasSequence({ successes }: Operation, { outcome }: Example): boolean {
  return (
    outcome.kind === "success" &&
    successes.some(
      ({ status, content }) => status === outcome.status && content !== undefined && isItemSequence(content),
    )
  );
}

/** `isOpen`: the answer is held against its type alone. */
function exampleCase(example: Example, isOpen: boolean): Case {
  const { name, input, positional, outcome, live, mayFail } = example;
  const params = positional === undefined ? {} : { params: positional };
  if (outcome.kind === "failure") return { name, group: "failure", input, ...params, expect: outcome };
  if (mayFail === true) return { name, group: "example", input, ...params, expect: documented };
  const { status, value, headers } = outcome;
  const expect: Expectation =
    live || isOpen
      ? { kind: "type", status }
      : { kind: "value", status, value, ...(headers === undefined ? {} : { headers }) };
  return { name, group: "example", input, ...params, expect };
}

/** The example that other cases vary: the first success whose value is fixed, else any success, else what needs no input. */
function baseExample(operation: Operation): Example | undefined {
  const successes = operation.examples.filter(({ outcome }) => outcome.kind === "success");
  return successes.find(({ live }) => !live) ?? successes[0];
}

/** Probes of one operation: the more inputs it has, the less each further one says. */
const mostProbes = 120;

function parameterCases(operation: Operation, model: ApiModel): readonly Case[] {
  const base = baseExample(operation);
  if (base === undefined && operation.parameters.some(({ required }) => required)) return [];
  const input = base?.input ?? {};
  const samples = operation.parameters.map((parameter) => [parameter, sampleOf(operation, parameter, input)] as const);
  const probes = samples
    .flatMap(([parameter, sample]) =>
      probesOf(parameter, sample, model).map((probe) => probeCase(parameter, probe, input)),
    )
    .slice(0, mostProbes);
  const defaults = operation.parameters.flatMap((parameter) => defaultCase(parameter, base, model));
  const missing = operation.parameters.flatMap((parameter) => missingCase(operation, parameter, input));
  const forms = operation.binding.kind === "rpc" ? formCases(operation, base) : [];
  return [...missing, ...defaults, ...probes, ...forms];
}

/** A value of a parameter that an example has. */
function sampleOf(operation: Operation, { property }: Parameter, input: ExampleInput): JsonValue | undefined {
  if (input[property] !== undefined) return input[property];
  const example = operation.examples.find((one) => one.outcome.kind === "success" && one.input[property] !== undefined);
  return example?.input[property];
}

function probeCase(parameter: Parameter, { name, value, isValid }: Probe, input: ExampleInput): Case {
  const message = parameter.invalidMessage;
  return {
    name: kebabCase(`${parameter.name} ${name}`),
    group: "parameter",
    input: { ...input, [parameter.property]: value },
    expect: isValid ? documented : { kind: "refusal", ...(message === undefined ? {} : { message }) },
  };
}

const documented: Expectation = { kind: "documented" };
const refusal: Expectation = { kind: "refusal" };
/** The form of parameters is the same for every method, and so is the failure. */
const formRefusal: Expectation = { kind: "refusal", of: "api" };

/** A default that is spelled out changes nothing. */
function defaultCase(parameter: Parameter, base: Example | undefined, model: ApiModel): readonly Case[] {
  const value = parameter.default;
  const isSpelled = base?.input[parameter.property] !== undefined;
  if (value === undefined || isSpelled || !isOfType(value, parameter.type, model)) return [];
  if (base === undefined || base.positional !== undefined) return [];
  const expect: Expectation = { kind: "same-as", example: base.name };
  const input = { ...base.input, [parameter.property]: value };
  return [{ name: kebabCase(`${parameter.name} default`), group: "parameter", input, expect }];
}

/** A path always has its parameters: without one it is another path. */
function missingCase(operation: Operation, parameter: Parameter, input: ExampleInput): readonly Case[] {
  const isGiven = input[parameter.property] !== undefined;
  if (parameter.location === "path" || (!parameter.required && !isGiven)) return [];
  const expect = parameter.required ? refusal : documented;
  const name = kebabCase(`${parameter.name} missing`);
  const { [parameter.property]: _left, ...rest } = input;
  if (operation.binding.kind !== "rpc" || !parameter.required)
    return [{ name, group: "parameter", input: rest, expect }];
  // By position, what follows a missing parameter can't be said either.
  const before = operation.parameters.slice(0, operation.parameters.indexOf(parameter));
  const params = before.map(({ property }) => input[property] ?? null);
  return [{ name, group: "parameter", input: {}, params, expect }];
}

/** JSON-RPC: parameters by name and too many of them. */
function formCases({ binding, parameters }: Operation, base: Example | undefined): readonly Case[] {
  if (binding.kind !== "rpc") return [];
  const input = base?.positional === undefined ? (base?.input ?? {}) : {};
  const named = Object.fromEntries(
    parameters.flatMap(({ name, property }) => (input[property] === undefined ? [] : [[name, input[property]]])),
  ) as Readonly<Record<string, JsonValue>>;
  const positional = parameters.map(({ property }) => input[property] ?? null);
  const byName = binding.parameterStructure !== "by-position";
  const cases: Case[] = [];
  if (byName && base !== undefined && base.positional === undefined) {
    const expect: Expectation = { kind: "same-as", example: base.name };
    cases.push({ name: "by-name", group: "parameter", input: {}, params: named, expect });
  }
  if (byName) {
    const params = { ...named, "no-such-parameter": 1 };
    cases.push({ name: "unknown-name", group: "parameter", input: {}, params, expect: formRefusal });
  }
  if (binding.parameterStructure !== "by-name") {
    cases.push({ name: "too-many", group: "parameter", input: {}, params: [...positional, 1], expect: formRefusal });
  }
  return cases;
}

/** Variables of a GraphQL document: coercion is patient with scalars, so only what no scalar can be is surely refused. */
function variableCases(document: GraphqlDocument, model: ApiModel): readonly Case[] {
  const base = document.examples.find(({ outcome }) => outcome.kind === "success");
  const input = base?.input ?? {};
  const lacks = document.variables.some(({ name, required }) => required && input[name] === undefined);
  if (lacks) return [];
  return document.variables.flatMap((variable) => {
    const { [variable.name]: _left, ...rest } = input;
    const wrong = wrongVariable(variable, model);
    const missing: Case = {
      name: kebabCase(`${variable.name} missing`),
      group: "parameter",
      input: rest,
      expect: variable.required ? refusal : documented,
    };
    const nothing: Case = {
      name: kebabCase(`${variable.name} null`),
      group: "parameter",
      input: { ...input, [variable.name]: null },
      expect: variable.required ? refusal : documented,
    };
    const refused: Case = {
      name: kebabCase(`${variable.name} of another type`),
      group: "parameter",
      input: { ...input, [variable.name]: wrong },
      expect: refusal,
    };
    return [missing, nothing, refused];
  });
}

/** An object for a scalar or list, a text for an object. */
function wrongVariable({ type }: Parameter, model: ApiModel): JsonValue {
  const resolved = resolveType(type, model);
  const members = resolved.kind === "union" ? resolved.members.map((member) => resolveType(member, model)) : [resolved];
  return members.some(({ kind }) => kind === "record") ? "not an object" : { not: "a scalar" };
}

/** A second case of the same name gets a number. */
function withUniqueNames(cases: readonly Case[]): readonly Case[] {
  const used = new Set<string>();
  return cases.map((one) => {
    let name = one.name;
    for (let number = 2; used.has(name); number += 1) name = `${one.name}-${number}`;
    used.add(name);
    return name === one.name ? one : { ...one, name };
  });
}
