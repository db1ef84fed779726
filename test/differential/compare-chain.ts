import { type Comparison, createComparer, type Unexplained } from "./compare-responses.ts";
import { type Asked, askByName, askingNode, askingService, type ComparedCall } from "./compared-response.ts";
import type { ComparedChain } from "./compared-chain.ts";
import { isSameJson } from "./exact-json.ts";
import { createSchemaCheck, type DifferencesFile, type UncomparedCalls } from "./listed-differences.ts";

/** What came of all calls of a method. */
interface MethodCount {
  cases: number;
  equal: number;
  listed: number;
  unexplained: number;
  /** Calls that were asked by name as well, and answered as they are by position. */
  byName: number;
  /** Calls of each listed difference. */
  readonly differences: Map<string, number>;
}

/** A call with what nobody listed. */
interface Finding {
  readonly call: ComparedCall;
  readonly found: readonly Unexplained[];
}

/** Counts and findings over any number of chains. */
export interface Outcome {
  readonly methods: Map<string, MethodCount>;
  /** Some of each method. */
  readonly findings: Finding[];
}

const callsAtOnce = 50;
const findingsOfMethod = 12;
/** One of so many calls is asked by name too. */
const namedShare = 7;

/** Asks both all calls, compares their answers and adds to the outcome. */
export async function compareChain(
  { upstream, node }: ComparedChain,
  calls: Iterable<ComparedCall>,
  { differences, uncompared }: DifferencesFile,
  outcome: Outcome,
): Promise<void> {
  const compare = createComparer(differences);
  const [theirs, ours] = [askingNode(upstream), askingService(node)];
  const names = await readParameterNames(ours);
  let asked = 0;
  for (const batch of batchesOf(withoutUncompared(calls, uncompared))) {
    const [expected, found] = await Promise.all([theirs(batch), ours(batch)]);
    for (const [at, call] of batch.entries()) {
      const [theirAnswer, ourAnswer] = [expected[at], found[at]];
      if (theirAnswer === undefined || ourAnswer === undefined) throw new Error("An answer is missing");
      const counted = count(outcome, call, compare(call, theirAnswer, ourAnswer));
      asked += 1;
      const byName = asked % namedShare === 0 ? nameParameters(names, call) : undefined;
      if (byName === undefined || isLive(call.method)) continue;
      const again = await askByName(node, call.method, byName);
      if (isSameJson(again, ourAnswer)) counted.byName += 1;
      else note(outcome, counted, { call, found: [{ pointer: "by name", theirs: ourAnswer, ours: again }] });
    }
  }
}

export function createOutcome(): Outcome {
  return { methods: new Map(), findings: [] };
}

function count(outcome: Outcome, call: ComparedCall, { listed, unexplained }: Comparison): MethodCount {
  let counted = outcome.methods.get(call.method);
  if (counted === undefined) {
    counted = { cases: 0, equal: 0, listed: 0, unexplained: 0, byName: 0, differences: new Map() };
    outcome.methods.set(call.method, counted);
  }
  counted.cases += 1;
  for (const id of listed) counted.differences.set(id, (counted.differences.get(id) ?? 0) + 1);
  if (unexplained.length > 0) note(outcome, counted, { call, found: unexplained });
  else if (listed.size > 0) counted.listed += 1;
  else counted.equal += 1;
  return counted;
}

function note(outcome: Outcome, counted: MethodCount, finding: Finding): void {
  counted.unexplained += 1;
  if (counted.unexplained <= findingsOfMethod) outcome.findings.push(finding);
}

function* withoutUncompared(
  calls: Iterable<ComparedCall>,
  uncompared: readonly UncomparedCalls[],
): Generator<ComparedCall> {
  const isOf = createSchemaCheck();
  for (const call of calls) {
    const isLeftOut = uncompared.some(
      ({ methods, arguments: schema }) =>
        methods.includes(call.method) && (schema === undefined || isOf(schema, call.params)),
    );
    if (!isLeftOut) yield call;
  }
}

/** Whether an answer may be another at the next call. */
function isLive(method: string): boolean {
  return ["uptime", "getnettotals", "getblocktemplate", "getchainstates"].includes(method);
}

function* batchesOf(calls: Iterable<ComparedCall>): Generator<readonly ComparedCall[]> {
  let batch: ComparedCall[] = [];
  for (const call of calls) {
    batch.push(call);
    if (batch.length < callsAtOnce) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

type ParameterNames = ReadonlyMap<string, readonly string[]>;

async function readParameterNames(ask: Asked): Promise<ParameterNames> {
  const [response] = await ask([{ method: "rpc.discover", params: [] }]);
  if (response?.kind !== "result") throw new Error("The service does not describe itself");
  const { methods, components } = response.result as DescribedMethods;
  const shared = "#/components/contentDescriptors/";
  const nameOf = (parameter: DescribedParameter): string =>
    "name" in parameter
      ? parameter.name
      : (components.contentDescriptors[parameter.$ref.slice(shared.length)]?.name ?? "");
  return new Map(methods.map(({ name, params }) => [name, params.map(nameOf)]));
}

/** What of an OpenRPC document names parameters. */
interface DescribedMethods {
  readonly methods: readonly { readonly name: string; readonly params: readonly DescribedParameter[] }[];
  readonly components: { readonly contentDescriptors: Readonly<Record<string, { readonly name: string }>> };
}

type DescribedParameter = { readonly name: string } | { readonly $ref: string };

/** `undefined`: there are more parameters than names. */
function nameParameters(
  names: ParameterNames,
  { method, params }: ComparedCall,
): Readonly<Record<string, unknown>> | undefined {
  const known = names.get(method);
  if (known === undefined || params.length > known.length) return undefined;
  return Object.fromEntries(params.map((value, at) => [known[at] ?? "", value]));
}
