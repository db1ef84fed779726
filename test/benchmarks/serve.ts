// What a request costs the serving process: CPU per request under wrk, 32 keep-alive connections.
//
//   npm run build && node --conditions=source test/benchmarks/serve.ts [seconds]
//
// wrk is Debian's package of that name.
import { spawnSync } from "node:child_process";
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

const service = await startService();
const { interfaces, apikey } = nodeOf(service, "bitcoin");
for (const path of paths) {
  const url = `${interfaces.rest}/${path}?apikey=${apikey}`;
  load(url);
  const costs = Array.from({ length: rounds }, () => {
    const before = cpuSecondsOf(service.pid);
    const requests = load(url);
    return { microseconds: ((cpuSecondsOf(service.pid) - before) / requests) * 1e6, perSecond: requests / seconds };
  });
  const name = path.replace(/[0-9a-f]{64}/, ":id");
  console.log(
    `${name.padEnd(24)} ${median(costs.map(({ microseconds }) => microseconds))
      .toFixed(1)
      .padStart(7)} µs CPU  ${median(costs.map(({ perSecond }) => perSecond))
      .toFixed(0)
      .padStart(7)} requests/s`,
  );
}
await service.stop();
