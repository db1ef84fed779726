// What a request costs two serving processes and what it costs one, and the same of bare servers in the same rounds. On a machine where
// whoever asks has no processor of its own, two processes have less to do at a time than one that is kept busy: they wake up more often,
// and find less of what they need in the processor's caches. How much of it that is, the bare servers tell.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { sliceStart } from "./compared-costs.ts";
import { measureRequests, middleOf, type RequestCost } from "./wrk.ts";

/** What is asked, and where. */
export interface AskedService {
  readonly pids: readonly number[];
  readonly origin: string;
  readonly paths: readonly string[];
}

/** A row of the table: the same requests to one process and to two. */
export interface ComparedRow {
  readonly name: string;
  readonly one: AskedService;
  readonly two: AskedService;
}

export interface ComparisonOptions {
  /** Of one round. Short ones measure compilers and caches that are still cold. */
  readonly seconds: number;
  readonly rounds: number;
  /** Told of each row when it is known. */
  tell(line: string): void;
}

/** Of what one process can answer, in the second half of the table. */
const share = 0.5;
const connections = 32;

/** How long both are asked before the first round: each of two processes sees half of the requests. */
const warmUpSeconds = { one: 3, two: 6 } as const;

type Costs = Record<"one" | "two" | "bareOne" | "bareTwo", RequestCost>;

/** Measures all rows and gives lines of Markdown. */
export async function compareProcesses(rows: readonly ComparedRow[], options: ComparisonOptions): Promise<string> {
  const [bareOne, bareTwo] = await Promise.all([startBare(1), startBare(2)]);
  const lines = [
    "| work | load | one µs | two µs | two to one | bare one µs | bare two µs | two to one | ours to the bare ones' | requests/s of one, of two |",
    "|---|---|---|---|---|---|---|---|---|---|",
  ];
  try {
    for (const { name, one, two } of rows) {
      const all = { one, two, bareOne: bareOne.asked, bareTwo: bareTwo.asked };
      await warmUp(all);
      const busy = await measureAll(all, options, { load: 0, pauseMilliseconds: 0 });
      lines.push(lineOf(name, "as much as it takes", busy));
      const pause = (connections / (busy.one.perSecond * share)) * 1_000;
      lines.push(lineOf(name, "half of that", await measureAll(all, options, { load: 1, pauseMilliseconds: pause })));
      options.tell(lines.slice(-2).join("\n"));
    }
  } finally {
    bareOne.stop();
    bareTwo.stop();
  }
  return lines.join("\n");
}

async function warmUp({ one, two }: Record<"one" | "two", AskedService>): Promise<void> {
  await measureRequests(one.pids, one.origin, one.paths, { seconds: warmUpSeconds.one, rounds: 1, warmUpSeconds: 0 });
  await measureRequests(two.pids, two.origin, two.paths, { seconds: warmUpSeconds.two, rounds: 1, warmUpSeconds: 0 });
}

/** How many loads a row is measured under. */
const loads = 2;

/**
 * Measures one service after the other in each round, so that a busy moment of the machine befalls all of them. Each round of each load
 * begins with another part of the requests.
 */
async function measureAll(
  all: Readonly<Record<keyof Costs, AskedService>>,
  { seconds, rounds }: ComparisonOptions,
  { load: loadIndex, pauseMilliseconds }: { readonly load: number; readonly pauseMilliseconds: number },
): Promise<Costs> {
  const measured: Record<keyof Costs, RequestCost[]> = { one: [], two: [], bareOne: [], bareTwo: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ["one", "two", "bareOne", "bareTwo"] as const) {
      const { pids, origin, paths } = all[name];
      const start = sliceStart(paths.length, loads * rounds, loadIndex * rounds + round);
      const load = { seconds, rounds: 1, start, warmUpSeconds: 0, pauseMilliseconds };
      measured[name].push(await measureRequests(pids, origin, paths, load));
    }
  }
  return {
    one: middleOf(measured.one),
    two: middleOf(measured.two),
    bareOne: middleOf(measured.bareOne),
    bareTwo: middleOf(measured.bareTwo),
  };
}

function lineOf(name: string, load: string, { one, two, bareOne, bareTwo }: Costs): string {
  const ours = two.microseconds / one.microseconds;
  const bare = bareTwo.microseconds / bareOne.microseconds;
  const cells = [
    `\`${name}\``,
    load,
    ...[one, two].map(({ microseconds }) => microseconds.toFixed(1)),
    ours.toFixed(2),
    ...[bareOne, bareTwo].map(({ microseconds }) => microseconds.toFixed(1)),
    bare.toFixed(2),
    (ours / bare).toFixed(2),
    `${one.perSecond.toFixed(0)}, ${two.perSecond.toFixed(0)}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

interface BareServers {
  readonly asked: AskedService;
  stop(): void;
}

/** Starts bare servers that share a listener as serving processes do. */
export async function startBare(processes: number): Promise<BareServers> {
  const script = fileURLToPath(new URL("bare-processes.ts", import.meta.url));
  const child = spawn(process.execPath, [script, String(processes)], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data");
  const [port, ...pids] = String(line).trim().split(" ").map(Number);
  return {
    asked: { pids, origin: `http://127.0.0.1:${port}`, paths: ["/tx/any"] },
    stop: () => void child.stdin.end(),
  };
}
