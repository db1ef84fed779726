// What a request costs the serving process: CPU per request under wrk, 32 keep-alive connections. The first row is a bare
// Fastify route in a process of its own, measured in the same run: on a shared machine the ratio to it says more than the figure.
//
//   npm run build && node --conditions=source test/benchmarks/serve.ts [seconds]
//
// wrk is Debian's package of that name.
import { nodeOf, startService } from "../support/service.ts";
import { type LoadOptions, measureBareRoute, measureRequests, type RequestCost } from "./wrk.ts";

const load: LoadOptions = { seconds: Number(process.argv[2] ?? 5), rounds: 3 };
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

function report(name: string, { microseconds, perSecond }: RequestCost, floor: RequestCost): void {
  const ratio = (microseconds / floor.microseconds).toFixed(1);
  console.log(
    `${name.padEnd(24)} ${microseconds.toFixed(1).padStart(7)} µs CPU  ${ratio.padStart(4)}x  ${perSecond.toFixed(0).padStart(7)} requests/s`,
  );
}

const floor = await measureBareRoute(load);
report("bare Fastify route", floor, floor);
const service = await startService();
const { interfaces, apikey } = nodeOf(service, "bitcoin");
const { origin, pathname } = new URL(interfaces.rest ?? "");
for (const path of paths) {
  const cost = await measureRequests([service.pid], origin, [`${pathname}/${path}?apikey=${apikey}`], load);
  report(path.replace(/[0-9a-f]{64}/, ":id"), cost, floor);
}
await service.stop();
