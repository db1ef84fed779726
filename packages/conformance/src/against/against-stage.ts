import { withPlace } from "../suite/with-place.ts";
import type { Finding } from "../contract/finding.ts";
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
import { reasonToDiffer } from "../contract/may-differ.ts";
import type { RelationTarget, Told } from "../relations/relation-cases.ts";
import { otherTarget, targetOf } from "./targets.ts";

/** Inputs of one operation that both targets are asked: answered ones, and those that the document says fail. */
const comparedGood = 3;
const comparedFailures = 2;
/** Differences of one answer that are told. */
const toldDifferences = 5;

/** Asks two targets the same and compares what they answer: what is pinned by its value, what moves by its shape. */
export function againstStage(suite: ConformanceSuite, session: Session, peer: Peer): Stage {
  const own = targetOf(suite, session);
  const other = otherTarget(suite, session, peer, "against");
  return {
    name: "against the second target",
    plan: () => [
      chainCase(session, peer),
      ...comparedOperations(suite)
        .filter(({ name }) => session.safety.of(name).isSafe)
        .flatMap((operation) => casesOf({ suite, session, peer, own, other, operation })),
    ],
  };
}

interface Comparison {
  readonly suite: ConformanceSuite;
  readonly session: Session;
  readonly peer: Peer;
  readonly own: RelationTarget;
  readonly other: RelationTarget;
  readonly operation: ComparedOperation;
}

function chainCase({ capabilities }: Session, peer: Peer): PlannedCase {
  return protocolCase({
    name: "same-chain",
    group: "against",
    rule: againstRules.sameChain,
    expected: "two targets of the same chain",
    requests: 0,
    play: async (play) => {
      const [own, other] = [capabilities.chain, peer.facts.chain];
      if (own === undefined || other === undefined) return play.skip("It is not known what chain the targets are of");
      if (own === other) return [];
      return [
        { rule: againstRules.sameChain, message: "The targets are of different chains", detail: `${own} and ${other}` },
      ];
    },
  });
}

function casesOf(comparison: Comparison): readonly PlannedCase[] {
  const { session, operation } = comparison;
  const { name } = operation;
  const { live } = session;
  const good = goodInputs(live.answersOf(name), live.goodInputsOf(name), comparedGood);
  const failing = operation.examples
    .filter(({ outcome, mayFail, isLive }) => outcome.kind === "failure" && mayFail !== true && isLive !== true)
    .map(({ input }) => input)
    .slice(0, comparedFailures);
  return [
    { name: "answers", inputs: good },
    { name: "failures", inputs: failing },
  ]
    .filter(({ inputs }) => inputs.length > 0)
    .map((one) =>
      protocolCase({
        name: one.name,
        operation: name,
        group: "against",
        rule: againstRules.sameValue,
        expected: "the same from both targets",
        requests: 0,
        isLive: true,
        play: (play) => compareInputs(comparison, one.inputs, play),
      }),
    );
}

async function compareInputs(
  comparison: Comparison,
  inputs: readonly Input[],
  play: CasePlay,
): Promise<readonly Finding[]> {
  const { session, peer, operation } = comparison;
  if (
    session.capabilities.chain !== undefined &&
    peer.facts.chain !== undefined &&
    session.capabilities.chain !== peer.facts.chain
  )
    return play.skip("The targets are of different chains");
  const findings = new Map<string, Finding>();
  let compared = 0;
  let reason = "Nothing of it can be compared";
  for (const input of inputs) {
    const result = await compareTwice(comparison, input, play);
    if ("reason" in result) {
      reason = result.reason;
      continue;
    }
    compared += 1;
    for (const finding of result.findings) {
      const may = reasonToDiffer(session.options.mayDiffer ?? [], operation.names, finding.pointer ?? "");
      const key = `${finding.rule.id} ${finding.message}`;
      if (may === undefined && !findings.has(key)) findings.set(key, finding);
    }
  }
  return compared === 0 ? play.skip(reason) : [...findings.values()];
}

type Compared = { readonly findings: readonly Finding[] } | { readonly reason: string };

/** What differs has to differ twice: heads move, and answers come one after the other. */
async function compareTwice(comparison: Comparison, input: Input, play: CasePlay): Promise<Compared> {
  const first = await compareOnce(comparison, input, play);
  if ("reason" in first || first.findings.length === 0) return first;
  const second = await compareOnce(comparison, input, play);
  if ("reason" in second) return second;
  const again = new Set(second.findings.map(({ message }) => message));
  return { findings: first.findings.filter(({ message }) => again.has(message)) };
}

async function compareOnce(comparison: Comparison, input: Input, play: CasePlay): Promise<Compared> {
  const { session, peer, own, other, operation } = comparison;
  const lower = lowerHead(session.capabilities.height, peer.facts.height);
  if (lower !== undefined && heightsIn(input).some((height) => height > lower))
    return { reason: "What is asked for lies above the lower one of the heads" };
  const told = await own.ask(play, operation.name, input);
  return compareTold(comparison, input, told, await other.ask(play, operation.name, input));
}

function lowerHead(own: number | undefined, other: number | undefined): number | undefined {
  return own === undefined || other === undefined ? undefined : Math.min(own, other);
}

function compareTold(comparison: Comparison, input: Input, own: Told, other: Told): Compared {
  if (own.kind === "nothing") return { reason: `The target does not offer it: ${own.problem}` };
  if (other.kind === "nothing") return { reason: `The second target does not offer it: ${other.problem}` };
  if (own.kind === "value" && other.kind === "value") return { findings: compareValues(comparison, input, own, other) };
  const place = withPlace(comparison.operation.place);
  const asked = `for the input ${showValue(input)}`;
  if (own.kind === "failure" && other.kind === "failure") {
    if (own.code === other.code) return { findings: [] };
    const message = "It fails otherwise than at the second target";
    return {
      findings: [
        { rule: againstRules.sameFailure, message, detail: `${own.code} and ${other.code}, ${asked}`, ...place },
      ],
    };
  }
  const isPlain = isPinned(comparison.operation, input) || own.kind === "failure";
  const rule = isPlain && isSameHead(comparison) ? againstRules.sameOutcome : againstRules.likelyValue;
  const message =
    own.kind === "failure"
      ? "It fails, and the second target answers it"
      : "It is answered, and the second target refuses it";
  const code = own.kind === "failure" ? own.code : other.kind === "failure" ? other.code : "";
  return { findings: [{ rule, message, detail: `${code}, ${asked}`, ...place }] };
}

/** GraphQL operations may ask for the latest state beside what they name. */
function isSettled(comparison: Comparison, input: Input): boolean {
  const { suite, operation } = comparison;
  return isPinned(operation, input) && (suite.protocol !== "graphql" || isSameHead(comparison));
}

function isSameHead({ session, peer }: Comparison): boolean {
  const [own, other] = [session.capabilities.height, peer.facts.height];
  return own === other;
}

function compareValues(
  comparison: Comparison,
  input: Input,
  own: Told & { readonly kind: "value" },
  other: Told & { readonly kind: "value" },
): readonly Finding[] {
  const { suite, operation } = comparison;
  const all = differences(own.type ?? other.type, other.value, own.value, suite.types, { namesExtra: true });
  if (isSettled(comparison, input))
    return all.slice(0, toldDifferences).map((one) => findingOf(operation, input, one, true));
  // What nobody chose, or what the heads decide, is compared by its shape.
  const hasValue = Object.keys(input).length > 0 && isSameHead(comparison);
  const kept = all.filter((one) => (hasValue ? !isMovingName(one.name) : isOtherKind(one)));
  return kept.slice(0, toldDifferences).map((one) => findingOf(operation, input, one, false));
}

function isOtherKind({ kind, expected, actual }: Difference): boolean {
  return kind === "kind" && expected !== null && actual !== null;
}

function findingOf({ place: own }: ComparedOperation, input: Input, difference: Difference, isSure: boolean): Finding {
  const { steady, pointer, message, detail, place = own } = difference;
  return {
    rule: isSure ? againstRules.sameValue : againstRules.likelyValue,
    message: `${steady === "" ? "The answer" : steady} ${message}, compared with the second target`,
    detail: `${pointer === "" ? "the answer" : pointer} ${detail}, for the input ${showValue(input)}`,
    pointer: steady,
    ...withPlace(place),
  };
}
