import { matchesAny } from "../basics/name-pattern.ts";
import { type Finding, finding, uniqueFindings } from "../contract/finding.ts";
import { type CasePlay, type PlannedCase, protocolCase, type Stage } from "../contract/planned-case.ts";
import { type Difference, differences } from "../compare/differences.ts";
import { showValue } from "../compare/show-value.ts";
import { isMovingName } from "../compare/volatile-names.ts";
import type { Peer } from "../session/peer.ts";
import type { Session } from "../session/session.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import { againstRules } from "./against-rules.ts";
import {
  type ComparedOperation,
  comparedOperations,
  goodInputs,
  heightsIn,
  type Input,
  isPinned,
} from "./compared-operation.ts";
import { planRelations, type RelationTarget, type OperationOutcome } from "../relations/relation-cases.ts";
import { otherTarget, targetOf } from "./targets.ts";

/** Maximum numbers of inputs of one operation that are sent to both targets: of successful calls, and of examples that fail. */
const comparedGood = 3;
const comparedFailures = 2;
/** Maximum number of reported differences of one response. */
const shownDifferences = 5;

interface Comparison {
  readonly suite: ConformanceSuite;
  readonly session: Session;
  readonly peer: Peer;
  readonly own: RelationTarget;
  readonly other: RelationTarget;
}

/** Sends the same calls to two targets and compares their results: immutable ones by value, changing ones by their JSON types. */
export function againstStage(suite: ConformanceSuite, session: Session, peer: Peer): Stage {
  const own = targetOf(suite, session);
  const comparison: Comparison = { suite, session, peer, own, other: otherTarget(suite, session, peer, "against") };
  return {
    name: "against the second target",
    plan: () => [
      chainCase(comparison),
      ...comparedOperations(suite)
        .filter(({ name }) => session.safety.of(name).isSafe)
        .flatMap((operation) => casesOf(comparison, operation)),
    ],
  };
}

/** Returns the chains of two targets where they differ; undefined where they are equal, null where they are unknown. */
function differentChains({ session, peer }: Comparison): string | null | undefined {
  const [own, other] = [session.capabilities.chain, peer.facts.chain];
  if (own === undefined || other === undefined) return null;
  return own === other ? undefined : `${own} and ${other}`;
}

function chainCase(comparison: Comparison): PlannedCase {
  const rule = againstRules.sameChain;
  return protocolCase({
    name: "same-chain",
    group: "against",
    rule,
    expected: "two targets of the same chain",
    requests: 0,
    play: async (play) => {
      const chains = differentChains(comparison);
      if (chains === null) return play.skip("It is not known what chain the targets are of");
      return chains === undefined ? [] : [finding(rule, "The targets are of different chains", chains)];
    },
  });
}

function casesOf(comparison: Comparison, operation: ComparedOperation): readonly PlannedCase[] {
  const { name, examples } = operation;
  const { live } = comparison.session;
  const failing = examples.filter(
    ({ outcome, mayFail, isLive }) => outcome.kind === "failure" && mayFail !== true && isLive !== true,
  );
  const inputs = {
    answers: goodInputs(live.resultsOf(name), live.goodInputsOf(name), comparedGood),
    failures: failing.map(({ input }) => input).slice(0, comparedFailures),
  };
  return Object.entries(inputs)
    .filter(([, some]) => some.length > 0)
    .map(([kind, some]) =>
      protocolCase({
        name: kind,
        operation: name,
        group: "against",
        rule: againstRules.sameValue,
        expected: "the same from both targets",
        requests: 0,
        isLive: true,
        play: (play) => compareInputs(comparison, operation, some, play),
      }),
    );
}

async function compareInputs(
  comparison: Comparison,
  operation: ComparedOperation,
  inputs: readonly Input[],
  play: CasePlay,
): Promise<readonly Finding[]> {
  if (differentChains(comparison) != null) return play.skip("The targets are of different chains");
  const { mayDiffer = [] } = comparison.session.options;
  const places = mayDiffer.filter((one) => matchesAny([one.operation], operation.names));
  const mayDifferAt = (pointer: string): boolean =>
    places.some((one) => one.pointer === undefined || matchesAny([one.pointer], [pointer]));
  const findings: Finding[] = [];
  let compared = 0;
  let reason = "Nothing of it can be compared";
  for (const input of inputs) {
    const result = await compareTwice({ ...comparison, operation, input }, play);
    if ("reason" in result) ({ reason } = result);
    else {
      compared += 1;
      findings.push(...result.findings);
    }
  }
  if (compared === 0) return play.skip(reason);
  return uniqueFindings(findings.filter(({ pointer = "" }) => !mayDifferAt(pointer)));
}

interface ComparedCall extends Comparison {
  readonly operation: ComparedOperation;
  readonly input: Input;
}

type Compared = { readonly findings: readonly Finding[] } | { readonly reason: string };

/** Reports only differences that occur twice: heads change, and the two responses are not simultaneous. */
async function compareTwice(request: ComparedCall, play: CasePlay): Promise<Compared> {
  const first = await compareOnce(request, play);
  if ("reason" in first || first.findings.length === 0) return first;
  const second = await compareOnce(request, play);
  if ("reason" in second) return second;
  const again = new Set(second.findings.map(({ message }) => message));
  return { findings: first.findings.filter(({ message }) => again.has(message)) };
}

async function compareOnce(request: ComparedCall, play: CasePlay): Promise<Compared> {
  const { session, peer, own, other, operation, input } = request;
  const [height, otherHeight] = [session.capabilities.height, peer.facts.height];
  const isLowerKnown = height !== undefined && otherHeight !== undefined;
  if (isLowerKnown && heightsIn(input).some((one) => one > Math.min(height, otherHeight)))
    return { reason: "The requested data is above the lower one of the heads" };
  const reported = await own.callOperation(play, operation.name, input);
  return compareResults(request, reported, await other.callOperation(play, operation.name, input));
}

function compareResults(request: ComparedCall, own: OperationOutcome, other: OperationOutcome): Compared {
  if (own.kind === "nothing") return { reason: `The target does not offer it: ${own.problem}` };
  if (other.kind === "nothing") return { reason: `The second target does not offer it: ${other.problem}` };
  if (own.kind === "value" && other.kind === "value") return { findings: compareValues(request, own, other) };
  const { operation, input } = request;
  const codes = [own, other].flatMap((one) => (one.kind === "failure" ? [one.code] : []));
  if (own.kind === other.kind && codes[0] === codes[1]) return { findings: [] };
  const isSure = (isPinned(operation, input) || own.kind === "failure") && isSameHead(request);
  const unlike = isSure ? againstRules.sameOutcome : againstRules.valueHeuristic;
  const [rule, message] =
    own.kind === other.kind
      ? [againstRules.sameFailure, "It fails otherwise than at the second target"]
      : own.kind === "failure"
        ? [unlike, "It fails, and succeeds at the second target"]
        : [unlike, "It succeeds, and the second target refuses it"];
  const detail = `${codes.join(" and ")}, for the input ${showValue(input)}`;
  return { findings: [finding(rule, message, detail, { place: operation.place })] };
}

function isSameHead({ session, peer }: Comparison): boolean {
  return session.capabilities.height === peer.facts.height;
}

function compareValues(
  request: ComparedCall,
  own: OperationOutcome & { readonly kind: "value" },
  other: OperationOutcome & { readonly kind: "value" },
): readonly Finding[] {
  const { suite, operation, input } = request;
  // GraphQL operations may also request the latest state.
  const isSettled = isPinned(operation, input) && (suite.protocol !== "graphql" || isSameHead(request));
  // Results without an input, or that depend on different heads, are compared by their JSON types.
  const hasValue = Object.keys(input).length > 0 && isSameHead(request);
  return differences(own.type ?? other.type, other.value, own.value, suite.types, { namesExtra: true })
    .filter((one) => isSettled || (hasValue ? !isMovingName(one.name) : isOtherKind(one)))
    .slice(0, shownDifferences)
    .map(({ steady, pointer, message, detail, place = operation.place }) =>
      finding(
        isSettled ? againstRules.sameValue : againstRules.valueHeuristic,
        `${steady === "" ? "The response" : steady} ${message}, compared with the second target`,
        `${pointer === "" ? "the response" : pointer} ${detail}, for the input ${showValue(input)}`,
        { pointer: steady, place },
      ),
    );
}

function isOtherKind({ kind, expected, actual }: Difference): boolean {
  return kind === "kind" && expected !== null && actual !== null;
}

/** Compares the results of two interfaces of the same data, in any protocols. */
export function acrossStage(suite: ConformanceSuite, session: Session, peer: Peer): Stage {
  return {
    name: "across interfaces",
    plan: () => {
      const target = { ...targetOf(suite, session), other: otherTarget(suite, session, peer, "across") };
      const relations = Map.groupBy(session.options.across?.relations ?? [], ({ operation }) => operation);
      return [...relations]
        .filter(([name]) => target.has(name))
        .flatMap(([name, own]) =>
          planRelations(target, { name, relations: own }, { group: "against", rule: againstRules.across }),
        );
    },
  };
}
