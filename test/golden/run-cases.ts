import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fastify, { type FastifyPluginAsync } from "fastify";
import { expect } from "vitest";
import type { GoldenCall, GoldenCases, GoldenRequest } from "./golden-cases.ts";

type Module = Readonly<Record<string, unknown>>;

/** Runs the code in a generated directory with the cases of a document: the client against the server over a socket. */
export async function runCases(directory: string, cases: GoldenCases): Promise<void> {
  const load = (file: string): Promise<Module> => import(pathToFileURL(join(directory, file)).href) as Promise<Module>;
  const received = new Map<string, unknown>();
  const handlers = Object.fromEntries(
    Object.entries(cases.handlers).map(([name, handler]) => [
      name,
      (input: unknown) => {
        received.set(name, input);
        return handler(input);
      },
    ]),
  );
  const plugin = exportOf(await load("server.ts"), /^create\w+(?:Routes|Rpc|Graphql)$/) as (
    options: object,
  ) => FastifyPluginAsync;
  const server = fastify();
  await server.register(plugin({ handlers, resolvers: {}, context: () => ({}), ...cases.options }));
  const baseUrl = await server.listen({ port: 0, host: "127.0.0.1" });
  try {
    const createClient = exportOf(await load("client.ts"), /^create\w+Client$/) as (options: object) => object;
    const client = createClient({ baseUrl, retries: 0, validateResponses: true });
    for (const call of cases.calls ?? []) await play(client, call, received);
    for (const request of cases.requests ?? []) await send(baseUrl, request);
  } finally {
    await server.close();
  }
  if (cases.webhooks !== undefined) await runWebhooks(await load("webhooks.ts"), handlers, cases.webhooks, received);
  const validators = await load("validators.ts");
  for (const [name, { valid, invalid }] of Object.entries(cases.values ?? {})) {
    const is = validators[`is${name}`] as (value: unknown) => boolean;
    const violationsOf = validators[`violationsOf${name}`] as (value: unknown) => readonly unknown[];
    for (const [values, isValid] of [
      [valid, true],
      [invalid, false],
    ] as const) {
      for (const value of values)
        expect([is(value), violationsOf(value).length === 0], `${name} ${shown(value)}`).toEqual([isValid, isValid]);
    }
  }
}

async function runWebhooks(
  module: Module,
  handlers: object,
  calls: readonly GoldenCall[],
  received: Map<string, unknown>,
): Promise<void> {
  const plugin = exportOf(module, /^create\w+Webhooks$/) as (options: object) => FastifyPluginAsync;
  const createSender = exportOf(module, /^create\w+Sender$/) as () => Readonly<
    Record<string, (url: string, input: unknown) => unknown>
  >;
  const server = fastify();
  await server.register(plugin({ handlers, context: () => ({}) }));
  const baseUrl = await server.listen({ port: 0, host: "127.0.0.1" });
  const sender = createSender();
  const client = Object.fromEntries(
    Object.entries(sender).map(([name, call]) => [name, (input: unknown) => call(`${baseUrl}/${name}`, input)]),
  );
  try {
    for (const call of calls) await play(client, call, received);
  } finally {
    await server.close();
  }
}

function exportOf(module: Module, name: RegExp): unknown {
  const [found, ...others] = Object.entries(module).filter(([each]) => name.test(each));
  expect(others).toEqual([]);
  return found?.[1];
}

async function play(client: object, call: GoldenCall, received: Map<string, unknown>): Promise<void> {
  const [path, input] = call.call;
  const label = `${path} ${shown(input)}`;
  const method = path.split(".").reduce<unknown>((value, name) => (value as Module)[name], client) as (
    input: unknown,
  ) => unknown;
  received.clear();
  const invoke = async (): Promise<unknown> => method(input);
  if (call.rejects !== undefined) {
    await expect(invoke(), label).rejects.toThrow(call.rejects);
    return;
  }
  const result = await invoke();
  if (call.yields !== undefined) {
    const values: unknown[] = [];
    for await (const value of result as AsyncIterable<unknown>) values.push(value);
    expect(plain(values), label).toEqual(call.yields);
  }
  if ("returns" in call) expect(plain(result), label).toEqual(call.returns);
  if (call.received !== undefined) expect(plain(received.get(call.received[0])), label).toEqual(call.received[1]);
}

async function send(
  baseUrl: string,
  { request, headers, json, text, status, ...wanted }: GoldenRequest,
): Promise<void> {
  const [method = "", path = ""] = request.split(" ");
  const body = text ?? (json === undefined ? undefined : JSON.stringify(json));
  const response = await fetch(baseUrl + path, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const answer = await response.text();
  const label = `${request.slice(0, 100)} ${body?.slice(0, 200) ?? ""} → ${answer.slice(0, 200)}`;
  expect(response.status, label).toBe(status);
  if (wanted.response !== undefined) expect(answer, label).toBe(wanted.response);
  if (wanted.includes !== undefined) expect(answer, label).toContain(wanted.includes);
}

/** Prototypes and absent members aside: what was read from the wire has none of the classes that it was sent with. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
}

function shown(value: unknown): string {
  return String(
    JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? `${member}n` : member)),
  ).slice(0, 200);
}
