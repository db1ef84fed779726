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
  await server.register(generated.createPlugin({ handlers, context: () => ({}), validateAnswers: "throw" }));
  const baseUrl = await server.listen({ port: 0, host: "127.0.0.1" });
  const client = generated.createClient({ baseUrl, retries: 0, validateResponses: true, timeoutMilliseconds: 5000 });
  for (const operation of model.operations) {
    const facts = generated.operations[operation.name];
    const exchange = facts && sampleExchange(operation, facts);
    if (facts === undefined || exchange === undefined) {
      result.unsampled.push(operation.origin);
      continue;
    }
    answers.set(operation.name, exchange.reply);
    try {
      const answer = await client[operation.name]?.(exchange.input);
      const input = received.get(operation.name) as Input | undefined;
      const lost = Object.entries(exchange.input).find(
        ([name, value]) => !isDeepStrictEqual(plain(input?.[name]), plain(value)),
      );
      if (lost !== undefined)
        result.different.push({
          operation: operation.origin,
          problem: `"${lost[0]}" came as ${shown(input?.[lost[0]])}, not ${shown(lost[1])}`,
        });
      else if (!isDeepStrictEqual(plain(answer), plain(exchange.output)))
        result.different.push({
          operation: operation.origin,
          problem: `answered ${shown(answer)}, not ${shown(exchange.output)}`,
        });
      else result.equal += 1;
    } catch (reason) {
      result.different.push({ operation: operation.origin, problem: String(reason).slice(0, 300) });
    }
  }
  await server.close();
  return result;
}

interface Exchange {
  readonly input: Input;
  readonly output: unknown;
  /** What the handler gives. */
  readonly reply: unknown;
}

/** A request and its answer that both validators take; undefined where none is thought of. */
function sampleExchange(operation: Operation, facts: AnyOperation): Exchange | undefined {
  const input = sampleInput(operation, facts);
  const [success] = operation.successes;
  const form = success.content?.form;
  if (input === undefined || form === "event-stream" || form === "json-lines") return undefined;
  const output = sampleOutput(operation, facts);
  if (output === undefined && success.content !== undefined) return undefined;
  const value = memory(facts.output, output);
  const isReply = facts.kind === "http" && facts.answers === "reply";
  const headers = Object.fromEntries(
    success.headers
      .filter(({ required }) => required)
      .map(({ property, type }) => [property, sampleValue(type, model)]),
  );
  const status = typeof success.status === "number" ? { status: success.status } : {};
  return {
    input: memory(facts.input, input) as Input,
    output: value,
    reply: isReply ? { ...status, headers, body: value } : value,
  };
}

function sampleInput({ parameters, body, examples }: Operation, facts: AnyOperation): SampledValue | undefined {
  const content = body?.contents.find(({ form }) => form === "json") ?? body?.contents[0];
  const plainest = {
    ...Object.fromEntries(
      parameters
        .filter(({ required }) => required)
        .map(({ property, type }) => [property, sampleValue(type, model, 1)]),
    ),
    ...(body?.required === true && content !== undefined ? { body: sampleValue(content.type, model, 1) } : {}),
  };
  const documented = examples.filter(({ outcome }) => outcome.kind === "success").map((example) => example.input);
  return [plainest, ...documented].find((value) => facts.input.violationsOf(value).length === 0) as
    | SampledValue
    | undefined;
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
