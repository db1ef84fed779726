import { isRecord } from "@nodewright/api-model";
import { armsOf } from "../../compare/member-facts.ts";
import { plainName } from "../../compare/volatile-names.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import type { SuiteTypes } from "../../suite/suite-type.ts";
import { kebabCase } from "../../types/kebab-case.ts";
import { isValueOf } from "../../types/violations.ts";
import { withoutValue } from "./good-inputs.ts";
import { ask } from "./rpc-call.ts";
import type { CaseDraft, RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import type { Input } from "./rpc-params.ts";
import { rpcRules } from "./rpc-rules.ts";
import { isSame } from "./same-answer.ts";

/** As many of anything as nothing has. */
const beyondAll = 2 ** 31 - 1;
const leastName = /^(?:min|minimum|atleast)(?:conf|confirm|depth|count|age|score|rating|size|weight|blocks)/;
/** Members that a sum over what is left out can't leave as they are. */
const countedName = /count|total|balance|amount|sum|received|sent|value/;

/** A count or a sum over what has at least so much of something is another one when nothing has as much. */
export function* leastDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  for (const parameter of method.parameters) {
    if (!isLeast(parameter, context.suite.types)) continue;
    const answer = context.session.live
      .answersOf(method.name)
      .find(({ input, value }) => isModest(input[parameter.property]) && countsSomething(value));
    if (answer === undefined) continue;
    const whole = withoutValue(answer.input, parameter.property);
    yield {
      group: "relation",
      name: `${kebabCase(parameter.name)}-beyond-all`,
      rule: rpcRules.effect,
      expected: `another result where nothing has as much as ${parameter.name} asks for`,
      requests: 6,
      usualRequests: 1,
      isLive: true,
      input: { ...whole, [parameter.property]: beyondAll },
      play: async (play) => await playLeast(context, play, method, parameter, whole),
    };
  }
}

async function playLeast(
  context: RpcContext,
  play: CasePlay,
  method: SuiteRpcMethod,
  parameter: SuiteParameter,
  whole: Input,
): Promise<readonly Finding[]> {
  for (let round = 0; round < 2; round += 1) {
    const narrow = await ask(context, play, method, { ...whole, [parameter.property]: beyondAll });
    if (narrow.outcome.kind !== "result" || !countsSomething(narrow.outcome.value)) return narrow.findings;
    const wide = await ask(context, play, method, whole);
    if (wide.outcome.kind !== "result" || !isSame(context, method, wide.outcome.value, narrow.outcome.value))
      return [...narrow.findings, ...wide.findings];
  }
  const message = `the result counts the same whatever ${parameter.name} says`;
  return [finding(rpcRules.effect, message, undefined, { place: parameter.place ?? method.place })];
}

/** `minConfirmations`, without an upper bound. */
function isLeast({ name, type, required }: SuiteParameter, types: SuiteTypes): boolean {
  const isInteger = armsOf(type, types).every((arm) => arm.kind === "number" && arm.integer);
  const isNamed = leastName.test(plainName(name));
  return !required && isInteger && isNamed && isValueOf(type, beyondAll, types, "request");
}

function isModest(value: unknown): boolean {
  return value === undefined || (typeof value === "number" && value < 2);
}

/** Whether there are several sums, none of which is nothing: what is nothing stays so whatever is left out. */
function countsSomething(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const sums = Object.entries(value).filter(([name]) => countedName.test(plainName(name)));
  return sums.length > 1 && sums.every(([, sum]) => Number(sum) > 0);
}
