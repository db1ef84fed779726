// A peer beside us: both are asked the same in turns, round after round, so that a busy moment of the machine befalls both. What each row
// comes to is the median of its rounds with their range, and a row where the peer needs less is marked.
import { median } from "./measure.ts";
import type { RequestCost } from "./wrk.ts";

/** The rounds of one row. */
export interface ComparedRow {
  readonly work: string;
  readonly ours: readonly RequestCost[];
  /** None: the peer was not asked, or does not offer it. */
  readonly peer: readonly RequestCost[];
  /** In microseconds of CPU, of ours. */
  readonly limit?: number | undefined;
}

/** What asks each of several services once. */
export type MeasureRound<Service> = (service: Service, round: number) => Promise<RequestCost>;

/** Measures all services in each round, one after the other, each round beginning with another one. */
export async function interleave<Service>(
  services: readonly Service[],
  rounds: number,
  measure: MeasureRound<Service>,
): Promise<ReadonlyMap<Service, readonly RequestCost[]>> {
  const costs = new Map<Service, RequestCost[]>(services.map((service) => [service, []]));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % services.length;
    for (const service of [...services.slice(first), ...services.slice(0, first)]) {
      costs.get(service)?.push(await measure(service, round));
    }
  }
  return costs;
}

/** A Markdown table of all rows, and below it in how many of them the peer is ahead. */
export function renderComparison(peer: string, rows: readonly ComparedRow[]): string {
  const compared = rows.filter((row) => row.peer.length > 0);
  const lost = compared.filter((row) => ratioOf(row) > 1);
  return [
    `| work | ours µs, median (range) | limit | ${peer} µs, median (range) | ours to ${peer} | requests/s | ${peer} | bytes |`,
    "|---|---|---|---|---|---|---|---|",
    ...rows.map((row) => renderRow(peer, row)),
    "",
    compared.length === 0
      ? `${peer} was not measured in this run.`
      : `${peer} is ahead in ${lost.length} of ${compared.length} rows${lost.length === 0 ? "" : `: ${lost.map(({ work }) => work).join(", ")}`}.`,
  ].join("\n");
}

function renderRow(peer: string, row: ComparedRow): string {
  const { work, ours, peer: theirs, limit } = row;
  const isPeerAhead = theirs.length > 0 && ratioOf(row) > 1;
  const cells = [
    work,
    renderCost(ours),
    limit === undefined ? "" : `${limit}${microseconds(ours) > limit ? " **over**" : ""}`,
    renderCost(theirs),
    theirs.length === 0 ? "" : `${ratioOf(row).toFixed(2)}${isPeerAhead ? ` **${peer} ahead**` : ""}`,
    middle(ours, "perSecond").toFixed(0),
    theirs.length === 0 ? "" : middle(theirs, "perSecond").toFixed(0),
    middle(ours, "bytes").toFixed(0),
  ];
  return `| ${cells.join(" | ")} |`;
}

function ratioOf({ ours, peer }: ComparedRow): number {
  return microseconds(ours) / microseconds(peer);
}

/** The median of some rounds and how far they lie apart; empty for none. */
export function renderCost(costs: readonly RequestCost[]): string {
  if (costs.length === 0) return "";
  const all = costs.map((cost) => cost.microseconds);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return `${median(all).toFixed(1)} (${least.toFixed(1)} to ${most.toFixed(1)})`;
}

function microseconds(costs: readonly RequestCost[]): number {
  return middle(costs, "microseconds");
}

function middle(costs: readonly RequestCost[], name: keyof RequestCost): number {
  return median(costs.map((cost) => cost[name]));
}
