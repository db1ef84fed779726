// Lets the generated client call each operation of the generated server over a socket. Prints one JSON value.
//
//   round-trip.ts DOCUMENT GENERATED-DIRECTORY
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { Operation } from "@nodewright/model";
import type { HttpOperation, RpcOperation } from "@nodewright/runtime";
import fastify, { type FastifyPluginAsync } from "fastify";
import { readTriedModel } from "./read-tried-model.ts";
import { sampleValue, type SampledValue } from "./sample-value.ts";

/** What `round-trip.ts` prints. */
export interface RoundTrips {
  /** Operations whose input and answer came through as they were sent. */
  readonly equal: number;
  /** Operations for which no valid input or answer could be thought of, or that stream. */
  readonly unsampled: readonly string[];
  readonly different: readonly { readonly operation: string; readonly problem: string }[];
}

type AnyOperation = HttpOperation | RpcOperation;
type Input = Readonly<Record<string, unknown>>;
type Call = (input: Input, options?: { readonly timeoutMilliseconds?: number }) => Promise<unknown>;

interface Generated {
  readonly operations: Readonly<Record<string, AnyOperation>>;
  readonly createClient: (options: object) => Readonly<Record<string, Call>>;
  readonly createPlugin: (options: object) => FastifyPluginAsync;
}

const [documentFile = "", directory = ""] = process.argv.slice(2);
const model = await readTriedModel(documentFile, readFileSync(documentFile, "utf8"));
const generated = await importGenerated();
console.log(JSON.stringify(await playAll()));
process.exit(0);

async function importGenerated(): Promise<Generated> {
  const load = (file: string): Promise<Record<string, unknown>> => import(pathToFileURL(join(directory, file)).href);
  const [table, client, server] = await Promise.all(["operations.ts", "client.ts", "server.ts"].map(load));
  return {
    operations: table?.["operations"] as Generated["operations"],
    createClient: client?.["createTriedClient"] as Generated["createClient"],
    createPlugin: (server?.["createTriedRoutes"] ?? server?.["createTriedRpc"]) as Generated["createPlugin"],
  };
}

async function playAll(): Promise<RoundTrips> {
  const result = { equal: 0, unsampled: [] as string[], different: [] as RoundTrips["different"][number][] };
  const received = new Map<string, unknown>();
  const answers = new Map<string, unknown>();
  const handlers = Object.fromEntries(
    Object.keys(generated.operations).map((name) => [
      name,
      (input: unknown) => {
        received.set(name, input);
        return answers.get(name);
      },
    ]),
  );
  const server = fastify({ bodyLimit: 1 << 24, routerOptions: { maxParamLength: 5000 } });
  await server.register(generated.createPlugin({ handlers, context: () => ({}), validateResponses: "throw" }));
  const baseUrl = await server.listen({ port: 0, host: "127.0.0.1" });
  const client = generated.createClient({ baseUrl, retries: 0, validateResponses: true, timeoutMilliseconds: 5000 });
  for (const operation of model.operations) {
    const facts = generated.operations[operation.name];
    const exchanges = facts === undefined ? [] : sampleExchanges(operation, facts);
    if (exchanges.length === 0) result.unsampled.push(operation.origin);
    let problem: string | undefined;
    for (const exchange of exchanges) problem ??= await play(operation.name, exchange);
    if (problem !== undefined) result.different.push({ operation: operation.origin, problem });
    else if (exchanges.length > 0) result.equal += 1;
  }
  await server.close();
  return result;

  /** What became of a request or of its answer on the way; undefined when both arrived as they were. */
  async function play(name: string, exchange: Exchange): Promise<string | undefined> {
    answers.set(name, exchange.reply);
    received.delete(name);
    try {
      const answer = await client[name]?.(exchange.input);
      const input = received.get(name) as Input | undefined;
      const lost = Object.entries(exchange.input).find(
        ([member, value]) => !isDeepStrictEqual(plain(input?.[member]), plain(value)),
      );
      if (lost !== undefined) return `"${lost[0]}" came as ${shown(input?.[lost[0]])}, not ${shown(lost[1])}`;
      if (!isDeepStrictEqual(plain(answer), plain(exchange.output)))
        return `answered ${shown(answer)}, not ${shown(exchange.output)}`;
      return undefined;
    } catch (reason) {
      return String(reason).slice(0, 300);
    }
  }
}

interface Exchange {
  readonly input: Input;
  readonly output: unknown;
  /** What the handler gives. */
  readonly reply: unknown;
}

/** Requests and an answer that the validators take: with all that may be said, and with what has to be; none where none is thought of. */
function sampleExchanges(operation: Operation, facts: AnyOperation): readonly Exchange[] {
  const [success] = operation.successes;
  const form = success.content?.form;
  if (form === "event-stream" || form === "json-lines") return [];
  const output = sampleOutput(operation, facts);
  if (output === undefined && success.content !== undefined) return [];
  const value = memory(facts.output, output);
  const isReply = facts.kind === "http" && facts.returns === "reply";
  const headers = Object.fromEntries(
    success.headers
      .filter(({ required }) => required)
      .map(({ property, type }) => [property, sampleValue(type, model)]),
  );
  const status = typeof success.status === "number" ? { status: success.status } : {};
  return sampleInputs(operation, facts).map((input) => ({
    input: memory(facts.input, input) as Input,
    output: value,
    reply: isReply ? { ...status, headers, body: value } : value,
  }));
}

function sampleInputs(operation: Operation, facts: AnyOperation): readonly SampledValue[] {
  const isTaken = (value: unknown): boolean => facts.input.violationsOf(value).length === 0;
  const documented = operation.examples
    .filter(({ outcome }) => outcome.kind === "success")
    .map((example) => example.input);
  const plainest = [sampleInput(operation, true), ...documented].find(isTaken);
  const fullest = [sampleInput(operation, false)].find(isTaken);
  return [plainest, fullest].filter((value) => value !== undefined);
}

function sampleInput({ parameters, body }: Operation, isPlainest: boolean): SampledValue {
  const content = body?.contents.find(({ form }) => form === "json") ?? body?.contents[0];
  const values = parameters
    .filter(({ required }) => required || !isPlainest)
    .map(({ property, type }) => [property, sampleValue(type, model, 1)] as const);
  if (content === undefined || (isPlainest && body?.required !== true)) return Object.fromEntries(values);
  const sample = sampleValue(content.type, model, 1);
  // A form without a member is written like no body at all.
  const isSaid = body?.required === true || content.form !== "form" || Object.keys(sample ?? {}).length > 0;
  return Object.fromEntries([...values, ...(isSaid ? [["body", sample] as const] : [])]);
}

function sampleOutput({ successes, examples }: Operation, facts: AnyOperation): SampledValue | undefined {
  const [{ content, status }] = successes;
  if (content === undefined) return undefined;
  const documented = examples.flatMap(({ outcome }) =>
    outcome.kind === "success" && outcome.status === status ? [outcome.value] : [],
  );
  return [...documented, sampleValue(content.type, model, 1)].find((value) => facts.output.is(value));
}

function memory(facts: AnyOperation["input"], wire: unknown): unknown {
  return facts.decode === undefined || wire === undefined ? wire : facts.decode(wire);
}

/** Prototypes aside: what was read from the wire has none of the classes that it was sent with. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, plain(member)]),
  );
}

function shown(value: unknown): string {
  return String(
    JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? `${member}n` : member)),
  ).slice(0, 150);
}
