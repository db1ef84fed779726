import type { PeerScore } from "../peers/compare-peers.ts";
import type { CommandRun } from "./check-command-line.ts";
import type { LegalScore } from "./score-legal.ts";
import type { MutantScore } from "./score.ts";
import type { RunCost } from "./run-cost.ts";

/** Everything that a run of the benchmark came to. */
export interface BenchResults {
  readonly seed: string;
  readonly mutants: readonly MutantScore[];
  readonly legal: readonly LegalScore[];
  readonly costs: readonly RunCost[];
  readonly peers: readonly PeerScore[];
  readonly commands: readonly CommandRun[];
  readonly seconds: number;
}

/** The share of mutants that has to be found. */
const floor = 0.95;

/** Whether enough is found, no correct server is blamed, and the command says the same as the runs here. */
export function passes({ mutants, legal, commands, costs }: BenchResults): boolean {
  const found = mutants.filter(({ isFound }) => isFound).length;
  return (
    found >= floor * mutants.length &&
    [...legal.map(({ verdict }) => verdict.outcome), ...costs.map(({ outcome }) => outcome)].every(
      (outcome) => outcome === "conforms",
    ) &&
    commands.every(({ isSame }) => isSame)
  );
}

/** Renders results in Markdown: shares per kind and operator, what was missed, alarms, cost and peers. */
export function renderResults(results: BenchResults): string {
  const { mutants, legal, costs, commands, peers } = results;
  const sections = [
    `# How much \`nodewright conform\` finds\n\nSeed \`${results.seed}\`, ${Math.round(results.seconds)} s. README.md says how it is measured.`,
    mutants.length === 0 ? "" : worldTable(mutants),
    mutants.length === 0 ? "" : operatorTable(mutants),
    strictTable(mutants),
    missedList(mutants),
    legal.length === 0 ? "" : legalTable(legal),
    costs.length === 0 ? "" : costTable(costs),
    commands.length === 0 ? "" : commandTable(commands),
    peers.length === 0 ? "" : peerTable(peers),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function share(part: number, all: number): string {
  return all === 0 ? "–" : `${((100 * part) / all).toFixed(1)} %`;
}

function countOf(mutants: readonly MutantScore[]): readonly [number, number, string] {
  const found = mutants.filter(({ isFound }) => isFound).length;
  return [mutants.length, found, share(found, mutants.length)];
}

function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function grouped<Item>(items: readonly Item[], key: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  return Map.groupBy(items, key);
}

function worldTable(mutants: readonly MutantScore[]): string {
  const rowOf = (world: string, all: readonly MutantScore[]): readonly (string | number)[] => {
    const byDefault = all.filter(({ isFoundByDefault }) => isFoundByDefault).length;
    return [world, ...countOf(all), byDefault, share(byDefault, all.length)];
  };
  const rows = [...grouped(mutants, ({ world }) => world)].map(([world, all]) => rowOf(world, all));
  const head = ["world", "mutants", "found under `--strict`", "share", "found by default", "share"];
  return `## Mutants by world\n\n${tableOf(head, [...rows, rowOf("all", mutants)])}`;
}

/** Rules that a default run only warns of, with the mutants that nothing else finds. */
function strictTable(mutants: readonly MutantScore[]): string {
  const hidden = mutants.filter(({ isFound, isFoundByDefault }) => isFound && !isFoundByDefault);
  if (hidden.length === 0) {
    return "";
  }
  const rows = [...grouped(hidden, ({ strictRule }) => strictRule ?? "")]
    .toSorted(([, left], [, right]) => right.length - left.length)
    .map(([rule, all]) => [rule, all.length, [...new Set(all.map(({ operator }) => operator))].join(", ")]);
  return `## Found under \`--strict\` alone\n\n${tableOf(["rule", "mutants", "operators"], rows)}`;
}

function operatorTable(mutants: readonly MutantScore[]): string {
  const kinds = ["rest", "rpc", "graphql"];
  const rows = [...grouped(mutants, ({ operator }) => operator)].map(([operator, all]) => [
    operator,
    ...countOf(all),
    ...kinds.map((kind) => {
      const [applied, found] = countOf(all.filter(({ world }) => world.startsWith(kind)));
      return applied === 0 ? "" : `${found} / ${applied}`;
    }),
  ]);
  return `## Mutants by operator\n\n${tableOf(["operator", "mutants", "found", "share", ...kinds], rows)}`;
}

function missedList(mutants: readonly MutantScore[]): string {
  const missed = mutants.filter(({ isFound }) => !isFound);
  if (missed.length === 0) {
    return "";
  }
  const lines = missed.map(({ world, operator, operation, note, verdict }) => {
    const inconclusive = verdict.outcome === "inconclusive" ? " (inconclusive)" : "";
    return `- \`${world}\` \`${operation}\` **${operator}**: ${note}${inconclusive}`;
  });
  return `## Not found\n\n${lines.join("\n")}`;
}

function legalTable(legal: readonly LegalScore[]): string {
  const worlds = [...new Set(legal.map(({ world }) => world))];
  const rows = [...grouped(legal, ({ variation }) => variation)].map(([variation, all]) => [
    variation,
    ...worlds.map((world) => {
      const scores = all.filter((score) => score.world === world);
      return scores.length === 0
        ? ""
        : scores.some(({ verdict }) => verdict.outcome !== "conforms")
          ? "**alarm**"
          : "quiet";
    }),
    all.filter(({ strictAlarms }) => strictAlarms.length > 0).length,
  ]);
  const alarms = legal.filter(({ verdict }) => verdict.outcome !== "conforms");
  const list = legal.flatMap(({ world, variation, verdict, strictAlarms }) => {
    const strictly = strictAlarms.slice(0, 3).map((message) => `${message} (\`--strict\`)`);
    const told = verdict.outcome === "conforms" ? strictly : verdict.failed.slice(0, 3);
    return told.map((message) => `- \`${world}\` **${variation}**: ${message}`);
  });
  const strict = legal.filter(({ strictAlarms }) => strictAlarms.length > 0);
  const counts = `${legal.length} default runs, ${alarms.length} alarms; ${strict.length} would have one under \`--strict\`.`;
  return `## Legal variations\n\n${counts}\n\n${tableOf(["variation", ...worlds, "worlds with an alarm under `--strict`"], rows)}${list.length === 0 ? "" : `\n\n${list.join("\n")}`}`;
}

function costTable(costs: readonly RunCost[]): string {
  const rows = costs.map(({ world, operations, requests, seconds, outcome, warned }) => [
    world,
    operations,
    requests,
    seconds.toFixed(2),
    outcome,
    warned.length,
  ]);
  const head = ["world", "operations", "requests", "seconds", "outcome", "cases that fail under `--strict`"];
  return `## A default run of a correct server\n\n${tableOf(head, rows)}`;
}

function commandTable(commands: readonly CommandRun[]): string {
  const rows = commands.map(({ world, operator, operation, exitCode, isSame, seconds }) => [
    world,
    operator,
    operation,
    exitCode ?? "none",
    isSame ? "yes" : "**no**",
    seconds.toFixed(1),
  ]);
  const head = ["world", "operator", "operation", "exit code", "as in process", "seconds"];
  return `## The same by a process of the command\n\n${tableOf(head, rows)}`;
}

function peerTable(peers: readonly PeerScore[]): string {
  const rows = peers.map(({ tool, world, mutants, found, alarm, requests, seconds }) => [
    tool,
    world,
    mutants,
    found,
    share(found, mutants),
    alarm === undefined ? "can't run" : alarm ? "yes" : "no",
    requests,
    seconds.toFixed(1),
  ]);
  const head = ["tool", "world", "mutants", "found", "share", "alarm on the correct server", "requests", "seconds"];
  return `## Other tools on a sample of the same mutants\n\n${tableOf(head, rows)}`;
}
