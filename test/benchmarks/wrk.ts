// wrk, Debian's package of that name: one thread, 32 keep-alive connections, which ask for many paths in turn.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { cpuSecondsOf, median } from "./measure.ts";

/** What a request costs the processes that serve it. */
export interface RequestCost {
  /** CPU time, user and system, in microseconds. */
  readonly microseconds: number;
  readonly perSecond: number;
  /** Number of responses in a round. */
  readonly requests: number;
  /** Of an answer with its headers, on average. */
  readonly bytes: number;
}

/** What a round of requests came to. */
export interface RoundCost extends RequestCost {
  /** Milliseconds from the request to the whole answer, with every connection busy. */
  readonly p50: number;
  readonly p99: number;
}

export interface LoadOptions {
  /** Of one round. */
  readonly seconds: number;
  readonly rounds: number;
  /** Index of the request that each round begins with, 0 by default. The round that is thrown away begins with the first request. */
  readonly start?: number;
  /** Of the round that is thrown away; 0 is none. As long as the others when not given. */
  readonly warmUpSeconds?: number;
  /** The asked service ends a connection after each answer, which wrk counts as an error of its own. */
  readonly endsConnections?: boolean;
  /** How long each connection waits after an answer, on average; 0 is not at all. */
  readonly pauseMilliseconds?: number;
}

/** A request to ask by: the path of a GET, or a POST. */
export type AskedRequest = string | PostRequest;

export interface PostRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Measures rounds after one that is thrown away, and gives the median. Throws when anything but 2xx is answered. */
export async function measureRequests(
  pids: readonly number[],
  origin: string,
  requests: readonly AskedRequest[],
  { seconds, rounds, start = 0, warmUpSeconds = seconds, endsConnections = false, pauseMilliseconds = 0 }: LoadOptions,
): Promise<RequestCost> {
  if (warmUpSeconds > 0) {
    await ask(origin, scriptOf(origin, requests, { start: 0, pauseMilliseconds }), warmUpSeconds, endsConnections);
  }
  const script = scriptOf(origin, requests, { start, pauseMilliseconds });
  const costs: RequestCost[] = [];
  for (let round = 0; round < rounds; round += 1) {
    costs.push(await measureScript(pids, origin, script, seconds, endsConnections));
  }
  return middleOf(costs);
}

/** Returns the median of each figure. */
export function middleOf(costs: readonly RequestCost[]): RequestCost {
  const middle = (name: keyof RequestCost): number => median(costs.map((cost) => cost[name]));
  return {
    microseconds: middle("microseconds"),
    perSecond: middle("perSecond"),
    requests: middle("requests"),
    bytes: middle("bytes"),
  };
}

/**
 * Measures one round, without one to warm up, when the processes have come to rest: what was asked last may be worked on after who asked
 * has gone. Throws when anything but 2xx is answered.
 */
export async function measureRound(
  pids: readonly number[],
  origin: string,
  requests: readonly AskedRequest[],
  seconds: number,
): Promise<RoundCost> {
  await comeToRest(pids);
  return await measureScript(
    pids,
    origin,
    scriptOf(origin, requests, { start: 0, pauseMilliseconds: 0 }),
    seconds,
    false,
  );
}

const restMilliseconds = 100;
const longestRests = 100;
/** Of one processor. */
const idleShare = 0.25;

async function comeToRest(pids: readonly number[]): Promise<void> {
  for (let rests = 0; rests < longestRests; rests += 1) {
    const before = cpuOf(pids);
    await sleep(restMilliseconds);
    if (cpuOf(pids) - before <= (restMilliseconds / 1_000) * idleShare) return;
  }
}

async function measureScript(
  pids: readonly number[],
  origin: string,
  script: string,
  seconds: number,
  endsConnections: boolean,
): Promise<RoundCost> {
  const before = cpuOf(pids);
  const { answers, bytes, p50, p99 } = await ask(origin, script, seconds, endsConnections);
  return {
    microseconds: ((cpuOf(pids) - before) / answers) * 1e6,
    perSecond: answers / seconds,
    requests: answers,
    bytes: bytes / answers,
    p50,
    p99,
  };
}

/** The floor: a bare Fastify route in a process of its own. */
export async function measureBareRoute(options: LoadOptions): Promise<RequestCost> {
  const script = fileURLToPath(new URL("bare-server.ts", import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(child.stdout, "data");
  try {
    return await measureRequests([child.pid ?? 0], `http://127.0.0.1:${String(port).trim()}`, ["/tx/any"], options);
  } finally {
    child.kill();
  }
}

function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
}

interface Answered {
  readonly answers: number;
  readonly bytes: number;
  readonly p50: number;
  readonly p99: number;
}

/** Of a script, in what is said of its failure: its first request. */
const shownLength = 500;

/** This process goes on meanwhile: it may stand in for what the asked one needs. */
async function ask(origin: string, lua: string, seconds: number, endsConnections: boolean): Promise<Answered> {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-wrk-"));
  try {
    const script = join(directory, "paths.lua");
    writeFileSync(script, lua);
    const parameters = ["-t1", "-c32", `-d${seconds}s`, "--timeout", "30s", "-s", script, origin];
    const child = spawn("wrk", parameters, { stdio: ["ignore", "pipe", "inherit"] });
    const [stdout, [status]] = await Promise.all([text(child.stdout), once(child, "close")]);
    if (status !== 0) throw new Error(`wrk ended with ${status}: ${stdout}`);
    const problem = endsConnections
      ? /Non-2xx|Socket errors: (?!connect 0, read \d+, write 0, timeout 0)/
      : /Non-2xx|Socket errors/;
    if (problem.test(stdout)) throw new Error(`${lua.slice(0, shownLength)}:\n${stdout}`);
    const [, answers, bytes, p50, p99] = /^requests (\d+) bytes (\d+) microseconds (\d+) (\d+)$/m.exec(stdout) ?? [];
    // What took longer than the round would cost infinitely much.
    if (!(Number(answers) > 0)) throw new Error(`No response within ${seconds} s: ${lua.slice(0, shownLength)}`);
    return { answers: Number(answers), bytes: Number(bytes), p50: Number(p50) / 1_000, p99: Number(p99) / 1_000 };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The requests are written once: wrk's own processor is not to be what is measured. */
export function scriptOf(
  origin: string,
  requests: readonly AskedRequest[],
  { start, pauseMilliseconds }: { readonly start: number; readonly pauseMilliseconds: number },
): string {
  const longestPause = Math.round(2 * pauseMilliseconds);
  return [
    // Pauses of one length would bring all connections' requests at once.
    ...(longestPause === 0 ? [] : [`delay = function() return math.random(0, ${longestPause}) end`]),
    `local requests = {${requests.map((request) => luaText(textOf(origin, request))).join(",\n")}}`,
    `local at = ${start % requests.length}`,
    "request = function() at = at % #requests + 1; return requests[at] end",
    "done = function(summary, latency)",
    '  print(string.format("requests %d bytes %d microseconds %d %d", summary.requests, summary.bytes,',
    "    latency:percentile(50), latency:percentile(99)))",
    "end",
  ].join("\n");
}

function textOf(origin: string, request: AskedRequest): string {
  const { host } = new URL(origin);
  if (typeof request === "string") return `GET ${request} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const { path, headers, body } = request;
  const all = { Host: host, ...headers, "Content-Length": String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

/** JSON's escapes of what requests have are Lua's as well. */
function luaText(text: string): string {
  return JSON.stringify(text);
}
