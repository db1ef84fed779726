// A peer beside us: both are asked the same in turns, round after round, so that a busy moment of the machine befalls both. What each row
// comes to is the median of its rounds with their range, and a row where the peer needs less is marked.
import { median } from "./measure.ts";
import type { RequestCost } from "./wrk.ts";

/** The rounds of one service, none when it was not asked or when one of them failed. */
export interface MeasuredRounds {
  readonly costs: readonly RequestCost[];
  /** Why a round failed. */
  readonly failure?: string;
}

/** The rounds of one row. */
export interface ComparedRow {
  readonly work: string;
  readonly ours: MeasuredRounds;
  /** None: the peer was not asked, or does not offer it. */
  readonly peer: MeasuredRounds;
  /** In microseconds of CPU, of ours. */
  readonly limit?: number | undefined;
}

/** What asks each of several services once. */
export type MeasureRound<Service> = (service: Service, round: number) => Promise<RequestCost>;

/**
 * Returns the index of the request that a round begins with: the requests are divided into a part for warming up, which is the first, and
 * one for each round, so that no round begins with what was requested just before.
 */
export function sliceStart(requests: number, rounds: number, round: number): number {
  return Math.floor((requests * (round + 1)) / (rounds + 1));
}

/**
 * Measures all services in each round, one after the other, each round beginning with another one. A service that fails is measured no
 * further; the others are.
 */
export async function interleave<Service>(
  services: readonly Service[],
  rounds: number,
  measure: MeasureRound<Service>,
): Promise<ReadonlyMap<Service, MeasuredRounds>> {
  const costs = new Map<Service, RequestCost[]>(services.map((service) => [service, []]));
  const failures = new Map<Service, string>();
  for (let round = 0; round < rounds; round += 1) {
    const first = round % services.length;
    for (const service of [...services.slice(first), ...services.slice(0, first)]) {
      if (failures.has(service)) continue;
      try {
        costs.get(service)?.push(await measure(service, round));
      } catch (reason) {
        failures.set(service, reason instanceof Error ? reason.message : String(reason));
      }
    }
  }
  return new Map(
    services.map((service) => {
      const failure = failures.get(service);
      return [service, failure === undefined ? { costs: costs.get(service) ?? [] } : { costs: [], failure }];
    }),
  );
}

/** Returns a Markdown table of all rows, and below it in how many of them the peer is ahead, and which rows failed. */
export function renderComparison(peer: string, rows: readonly ComparedRow[]): string {
  const compared = rows.filter(isCompared);
  const lost = compared.filter((row) => ratioOf(row) > 1);
  const failed = rows.flatMap(({ work, ours, peer: theirs }) => [
    ...(ours.failure === undefined ? [] : [`${work} failed: ${ours.failure}`]),
    ...(theirs.failure === undefined ? [] : [`${work} failed at ${peer}: ${theirs.failure}`]),
  ]);
  return [
    `| work | ours µs, median (range) | limit | ${peer} µs, median (range) | ours to ${peer} | requests | requests/s | ${peer} requests | ${peer} requests/s | bytes |`,
    "|---|---|---|---|---|---|---|---|---|---|",
    ...rows.map((row) => renderRow(peer, row)),
    "",
    rows.every((row) => row.peer.costs.length === 0 && row.peer.failure === undefined)
      ? `${peer} was not measured in this run.`
      : `${peer} is ahead in ${lost.length} of ${compared.length} rows${lost.length === 0 ? "" : `: ${lost.map(({ work }) => work).join(", ")}`}.`,
    ...(failed.length === 0 ? [] : ["", ...failed.map((line) => `- ${line.replaceAll(/\s+/g, " ")}`)]),
  ].join("\n");
}

function renderRow(peer: string, row: ComparedRow): string {
  const { work, ours, peer: theirs, limit } = row;
  const isPeerAhead = isCompared(row) && ratioOf(row) > 1;
  const show = ({ costs }: MeasuredRounds, name: keyof RequestCost): string =>
    costs.length === 0 ? "" : middle(costs, name).toFixed(0);
  const cells = [
    work,
    renderCost(ours),
    limit === undefined ? "" : `${limit}${microseconds(ours) > limit ? " **over**" : ""}`,
    renderCost(theirs),
    isCompared(row) ? `${ratioOf(row).toFixed(2)}${isPeerAhead ? ` **${peer} ahead**` : ""}` : "",
    countRequests(ours),
    show(ours, "perSecond"),
    countRequests(theirs),
    show(theirs, "perSecond"),
    show(ours, "bytes"),
  ];
  return `| ${cells.join(" | ")} |`;
}

function ratioOf({ ours, peer }: ComparedRow): number {
  return microseconds(ours) / microseconds(peer);
}

function isCompared({ ours, peer }: ComparedRow): boolean {
  return ours.costs.length > 0 && peer.costs.length > 0;
}

/** Returns how many requests were made in all rounds together; empty for none. */
function countRequests({ costs }: MeasuredRounds): string {
  return costs.length === 0 ? "" : String(costs.reduce((sum, { requests }) => sum + requests, 0));
}

/** Returns the median of some rounds and how far they lie apart; empty for none. */
export function renderCost({ costs, failure }: MeasuredRounds): string {
  if (failure !== undefined) return "failed";
  if (costs.length === 0) return "";
  const all = costs.map((cost) => cost.microseconds);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return `${median(all).toFixed(1)} (${least.toFixed(1)} to ${most.toFixed(1)})`;
}

function microseconds({ costs }: MeasuredRounds): number {
  return middle(costs, "microseconds");
}

function middle(costs: readonly RequestCost[], name: keyof RequestCost): number {
  return median(costs.map((cost) => cost[name]));
}
