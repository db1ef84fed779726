import { armsOf } from "../../compare/member-facts.ts";
import { plainName } from "../../compare/volatile-names.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import { isValueOf } from "../../types/violations.ts";
import { requiredOf } from "./good-inputs.ts";
import { isAbsenceFault } from "./refusal.ts";
import { ask, documentedCodes } from "./rpc-call.ts";
import { type CaseDraft, judgedMethods, type RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Names of methods that tell how high a chain is; of what is final, or only known by its header, something else holds. */
const headName =
  /(?:block|head|tip|best|latest|current|chain).*(?:count|height|number)$|^(?:.*[._])?(?:height|blockcount)$/;
const otherHead = /final|safe|index|sync|confirm|header|peer|tx|transaction|pending|transact|slot|proof|state|uncle|by/;
const heightName = /^(?:block)?(?:height|number)$/;
/** So far may a head be behind while new blocks come in. */
const mostBehind = 3;
/** Looks before a head is blamed. */
const looks = 3;

/** What is at the last height that is told is there; far above it there is nothing. */
export function* headDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const plain = plainName(method.method);
  if (requiredOf(method).length > 0 || !headName.test(plain) || otherHead.test(plain)) return;
  const other = judgedMethods(context).find((one) => one !== method && isByHeight(context, one));
  if (
    other === undefined ||
    context.session.live.answersOf(method.name).every(({ value }) => heightOf(value) === undefined)
  )
    return;
  yield {
    group: "relation",
    name: `head-of-${other.name}`,
    rule: rpcRules.head,
    expected: `a height at which ${other.method} finds something, and nothing far above it`,
    requests: looks * 3,
    usualRequests: 3,
    isLive: true,
    input: {},
    play: async (play) => await playHead(context, play, method, other),
  };
}

async function playHead(
  context: RpcContext,
  play: CasePlay,
  method: SuiteRpcMethod,
  other: SuiteRpcMethod,
): Promise<readonly Finding[]> {
  let found: readonly Finding[] = [];
  let before: bigint | undefined;
  for (let look = 0; look < looks; look += 1) {
    const told = await ask(context, play, method, {});
    const height = told.outcome.kind === "result" ? heightOf(told.outcome.value) : undefined;
    // A head that moves is looked at another time.
    if (height === undefined || (before !== undefined && height !== before)) return told.findings;
    before = height;
    const above = await isThere(context, play, other, height + BigInt(mostBehind));
    const here = above === true ? true : await isThere(context, play, other, height);
    const place = method.place;
    const detail = `it is ${String(height)}`;
    if (above === true) {
      const message = `it is far below heights at which ${other.method} finds something`;
      found = [finding(rpcRules.head, message, detail, { place })];
    } else if (here === false) {
      const message = `${other.method} finds nothing at the height that is told`;
      found = [finding(rpcRules.head, message, detail, { place })];
    } else return told.findings;
  }
  return found;
}

/** Whether something is found at a height; undefined where nothing can be told. */
async function isThere(
  context: RpcContext,
  play: CasePlay,
  method: SuiteRpcMethod,
  height: bigint,
): Promise<boolean | undefined> {
  const [parameter] = requiredOf(method);
  const value = [`0x${height.toString(16)}`, Number(height), String(height)].find(
    (one) => parameter !== undefined && isValueOf(parameter.type, one, context.suite.types, "request"),
  );
  if (parameter === undefined || value === undefined) return undefined;
  const { outcome } = await ask(context, play, method, { [parameter.property]: value });
  if (outcome.kind === "result") return outcome.value !== null;
  // Only what says that nothing is there tells that.
  const isAbsence =
    outcome.kind === "error" &&
    (documentedCodes(method).has(Number(outcome.fault.code)) || isAbsenceFault(outcome.fault));
  return isAbsence ? false : undefined;
}

/** A method that finds something by its height alone, and has found something. */
function isByHeight(context: RpcContext, method: SuiteRpcMethod): boolean {
  const [parameter, ...others] = requiredOf(method);
  if (parameter === undefined || others.length > 0 || !heightName.test(plainName(parameter.name))) return false;
  const isPlain = armsOf(parameter.type, context.suite.types).every(({ kind }) => ["number", "string"].includes(kind));
  const answers = context.session.live.answersOf(method.name);
  return (
    isPlain && answers.some(({ input, value }) => heightOf(input[parameter.property]) !== undefined && value !== null)
  );
}

function heightOf(value: unknown): bigint | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  if (typeof value === "bigint") return value;
  return typeof value === "string" && /^(?:0x[0-9a-f]{1,16}|[0-9]{1,18})$/i.test(value) ? BigInt(value) : undefined;
}
