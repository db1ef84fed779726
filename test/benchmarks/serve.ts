// What a request costs the serving process: CPU per request under wrk, 32 keep-alive connections. The first row is a bare
// Fastify route in a process of its own, measured in the same run: on a shared machine the ratio to it says more than the figure.
//
//   npm run build && node --conditions=source test/benchmarks/serve.ts [seconds]
//
// wrk is Debian's package of that name.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { nodeOf, startService } from "../support/service.ts";
import { cpuSecondsOf, median } from "./measure.ts";

const seconds = Number(process.argv[2] ?? 5);
const rounds = 3;
const transaction = "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16";
const block = "00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee";
const paths = [
  `tx/${transaction}`,
  `tx/${transaction}/hex`,
  `tx/${transaction}/status`,
  `tx/${transaction}/outspends`,
  `tx/${transaction}/merkle-proof`,
  `block/${block}`,
  "blocks",
  "blocks/tip/height",
  "fee-estimates",
];

function load(url: string): number {
  const { stdout, status, error } = spawnSync("wrk", ["-t1", "-c32", `-d${seconds}s`, url], { encoding: "utf8" });
  if (status !== 0) throw new Error(`wrk failed: ${error?.message ?? stdout}`);
  if (/Non-2xx/.test(stdout)) throw new Error(stdout);
  return Number(/(\d+) requests in/.exec(stdout)?.[1]);
}

interface Cost {
  readonly microseconds: number;
  readonly perSecond: number;
}

function measure(pid: number, url: string): Cost {
  load(url);
  const costs = Array.from({ length: rounds }, () => {
    const before = cpuSecondsOf(pid);
    const requests = load(url);
    return { microseconds: ((cpuSecondsOf(pid) - before) / requests) * 1e6, perSecond: requests / seconds };
  });
  return {
    microseconds: median(costs.map(({ microseconds }) => microseconds)),
    perSecond: median(costs.map(({ perSecond }) => perSecond)),
  };
}

async function measureBare(): Promise<Cost> {
  const script = fileURLToPath(new URL("bare-server.ts", import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(child.stdout, "data");
  const cost = measure(child.pid ?? 0, `http://127.0.0.1:${String(port).trim()}/tx/${transaction}`);
  child.kill();
  return cost;
}

function report(name: string, { microseconds, perSecond }: Cost, floor: Cost): void {
  const ratio = (microseconds / floor.microseconds).toFixed(1);
  console.log(
    `${name.padEnd(24)} ${microseconds.toFixed(1).padStart(7)} µs CPU  ${ratio.padStart(4)}x  ${perSecond.toFixed(0).padStart(7)} requests/s`,
  );
}

const floor = await measureBare();
report("bare Fastify route", floor, floor);
const service = await startService();
const { interfaces, apikey } = nodeOf(service, "bitcoin");
for (const path of paths) {
  report(
    path.replace(/[0-9a-f]{64}/, ":id"),
    measure(service.pid, `${interfaces.rest}/${path}?apikey=${apikey}`),
    floor,
  );
}
await service.stop();
