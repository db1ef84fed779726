// What a request costs the serving process: CPU per request under wrk, 32 keep-alive connections. The first row is a bare
// Fastify route in a process of its own, measured in the same run: on a shared machine the ratio to it says more than the figure.
//
//   npm run build && node --conditions=source test/benchmarks/serve.ts [seconds] [--write]
//
// wrk is Debian's package of that name.
import { nodeOf, startService } from "../support/service.ts";
import { beginSection } from "./sections.ts";
import { type LoadOptions, measureBareRoute, measureRequests, type RequestCost } from "./wrk.ts";

const section = beginSection("serving");
const load: LoadOptions = {
  seconds: Number(process.argv.slice(2).find((argument) => /^[\d.]+$/.test(argument)) ?? 5),
  rounds: 3,
};
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
  section.print(`| ${name} | ${microseconds.toFixed(1)} µs | ${ratio} | ${perSecond.toFixed(0)} |`);
}

section.print("| | CPU per request | to the bare route | requests/s |");
section.print("|---|---|---|---|");
const floor = await measureBareRoute(load);
report("bare Fastify route", floor, floor);
const service = await startService({ timeoutMilliseconds: 120_000 });
const { interfaces, apikey } = nodeOf(service, "bitcoin");
const { origin, pathname } = new URL(interfaces.rest ?? "");
for (const path of paths) {
  const cost = await measureRequests([service.pid], origin, [`${pathname}/${path}?apikey=${apikey}`], load);
  report(`\`${path.replace(/[0-9a-f]{64}/, ":id")}\``, cost, floor);
}
await service.stop();
section.end();
