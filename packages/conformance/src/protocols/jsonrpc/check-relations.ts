import { isRecord } from "@nodewright/api-model";
import { membersOf } from "../../compare/member-facts.ts";
import { showValue } from "../../compare/show-value.ts";
import { plainName } from "../../compare/volatile-names.ts";
import type { Finding } from "../../contract/finding.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import { isValueOf } from "../../types/violations.ts";
import { requiredOf } from "./good-inputs.ts";
import { ask, resultType } from "./rpc-call.ts";
import { type CaseDraft, judgedMethods, type RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import { rpcRules } from "./rpc-rules.ts";

/** What a text that nobody means is made of. */
const senselessText = "?!";
const checkingName = /validate|verify|check|isvalid/;
const validName = /^(?:is)?valid$/;
/** Shorter texts may belong to many things. */
const tellingLength = 4;

/** What a method tells of a text that other methods have, beside what it tells of one that makes no sense. */
export function* checkDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const [parameter, ...others] = requiredOf(method);
  if (parameter === undefined || others.length > 0) return;
  yield* validDrafts(context, method, parameter);
}

/** What a method calls valid, and others not: never what makes no sense alone, and not in the way in which it calls others so. */
function* validDrafts(context: RpcContext, method: SuiteRpcMethod, parameter: SuiteParameter): Generator<CaseDraft> {
  const member = membersOf(resultType(method), context.suite.types).find(({ name }) => validName.test(plainName(name)));
  const isText = isValueOf(parameter.type, senselessText, context.suite.types, "request");
  const [known] = textsOf(context, method, parameter);
  if (member === undefined || !isText || known === undefined || !checkingName.test(plainName(method.method))) return;
  yield {
    group: "relation",
    name: "senseless",
    rule: rpcRules.checked,
    expected: "that what other methods have is rather valid than what makes no sense",
    requests: 2,
    isLive: true,
    input: { [parameter.property]: senselessText },
    play: async (play): Promise<readonly Finding[]> => {
      const right = await ask(context, play, method, { [parameter.property]: known });
      const senseless = await ask(context, play, method, { [parameter.property]: senselessText });
      const findings = [...right.findings, ...senseless.findings];
      if (right.outcome.kind !== "result" || senseless.outcome.kind !== "result") return findings;
      const [one, other] = [right.outcome.value, senseless.outcome.value];
      if (!isRecord(one) || !isRecord(other) || other[member.name] !== true) return findings;
      const lost = Object.keys(one).find((name) => one[name] !== null && other[name] === null);
      if (one[member.name] === true && lost === undefined) return findings;
      const message =
        one[member.name] === true
          ? `${member.name} is true though ${lost} is null, which it is not for what other methods have`
          : `${member.name} is true for what makes no sense, and false for what other methods have`;
      const place = member.place ?? method.place;
      return [...findings, finding(rpcRules.checked, message, showValue(other), { pointer: `/${member.name}`, place })];
    },
  };
}

/** Texts that answers of other methods have under the name of a parameter. */
function textsOf(context: RpcContext, method: SuiteRpcMethod, { name, type }: SuiteParameter): readonly string[] {
  const plain = plainName(name);
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value.slice(0, 3)) walk(item);
    if (!isRecord(value)) return;
    for (const [member, inner] of Object.entries(value)) {
      if (typeof inner === "object") walk(inner);
      const isFit = plainName(member) === plain && typeof inner === "string" && inner.length >= tellingLength;
      if (isFit && isValueOf(type, inner, context.suite.types, "request")) found.push(inner);
    }
  };
  for (const other of judgedMethods(context)) {
    if (other !== method) for (const { value } of context.session.live.answersOf(other.name).slice(0, 3)) walk(value);
  }
  return found;
}
