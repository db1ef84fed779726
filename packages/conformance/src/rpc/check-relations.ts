import { armsOf, membersOf } from "../compare/member-facts.ts";
import { showValue } from "../compare/show-value.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import { isRecord } from "../types/is-record.ts";
import { isValueOf } from "../types/violations.ts";
import { requiredOf } from "./good-inputs.ts";
import { isSameId } from "./result-checks.ts";
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
  yield* namedDrafts(context, method, parameter);
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

/** Names of what tells a thing from others of its kind: what it names is another thing, which may have another one of its kind. */
const ownName = /(?:id|hash|number|height|index|uuid|key)$/;

/** What a method names for a text is a thing that has the text. */
function* namedDrafts(context: RpcContext, method: SuiteRpcMethod, parameter: SuiteParameter): Generator<CaseDraft> {
  if (ownName.test(plainName(parameter.name))) return;
  const isText = armsOf(parameter.type, context.suite.types).every(({ kind }) => kind === "string");
  const known = new Set(isText ? textsOf(context, method, parameter) : []);
  const answers = context.session.live
    .answersOf(method.name)
    .filter(({ input }) => known.has(String(input[parameter.property])));
  for (const other of judgedMethods(context)) {
    const [subject, ...others] = requiredOf(other);
    if (other === method || subject === undefined || others.length > 0) continue;
    const own = membersOf(resultType(other), context.suite.types).find(
      ({ name }) => plainName(name) === plainName(parameter.name),
    );
    const link = membersOf(resultType(method), context.suite.types).find(
      ({ name }) => plainName(name) === plainName(subject.name),
    );
    if (own === undefined || link === undefined || plainName(subject.name) === plainName(parameter.name)) continue;
    const answer = answers.find(({ value }) => isRecord(value) && typeof value[link.name] === "string");
    if (answer === undefined) continue;
    yield {
      group: "relation",
      name: `named-for-${other.name}`,
      rule: rpcRules.sameObject,
      expected: `something that has this ${parameter.name}, by ${other.method}`,
      requests: 4,
      usualRequests: 2,
      isLive: true,
      input: answer.input,
      play: async (play): Promise<readonly Finding[]> =>
        await playNamed(
          context,
          play,
          { method, parameter, link: link.name, other, subject, own: own.name },
          answer.input,
        ),
    };
    return;
  }
}

interface Naming {
  readonly method: SuiteRpcMethod;
  readonly parameter: SuiteParameter;
  /** The member that names the thing. */
  readonly link: string;
  /** What answers the thing, and the parameter by which it does. */
  readonly other: SuiteRpcMethod;
  readonly subject: SuiteParameter;
  /** The thing's member that is called as the parameter of the first method. */
  readonly own: string;
}

async function playNamed(
  context: RpcContext,
  play: CasePlay,
  { method, parameter, link, other, subject, own }: Naming,
  input: CaseDraft["input"] & object,
): Promise<readonly Finding[]> {
  let detail = "";
  // What moves meanwhile is looked at another time.
  for (let look = 0; look < 2; look += 1) {
    const named = await ask(context, play, method, input);
    const id = named.outcome.kind === "result" && isRecord(named.outcome.value) ? named.outcome.value[link] : undefined;
    if (id === undefined || id === null) return named.findings;
    const { outcome, findings } = await ask(context, play, other, { [subject.property]: id });
    const given = outcome.kind === "result" && isRecord(outcome.value) ? outcome.value[own] : undefined;
    if (given === undefined || isSameId(input[parameter.property], given) !== false) return findings;
    detail = `${own} of it is ${showValue(given)}, asked for was ${showValue(input[parameter.property])}`;
  }
  const message = `${other.method} has another ${own} for the ${link} that is named`;
  return [finding(rpcRules.sameObject, message, detail, { pointer: `/${link}`, place: method.place })];
}
