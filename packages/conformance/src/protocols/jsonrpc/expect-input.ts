import { namesAlternatives } from "../../inference/name-meaning.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { CheckedResponse, ExpectedCall, Expectation, Input } from "../../properties/operation.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import { type Certainty, goodFindings } from "./good-answer.ts";
import { goodInput, requiredOf, sendableInput } from "./good-inputs.ts";
import { missingFindings } from "./missing-method.ts";
import { isAbsenceFault, refusalFindings } from "./refusal.ts";
import { ask, askWith, documentedCodes, errorCodes } from "./rpc-call.ts";
import { refusedStylesOf, type RpcContext } from "./rpc-context.ts";
import { paramsOf } from "./rpc-params.ts";
import type { RpcParams } from "./rpc-request.ts";
import type { RpcReply } from "./rpc-reply.ts";

/** Calls a method with inputs, and reports what is wrong with the responses. */
export async function expectReplies(
  context: RpcContext,
  method: SuiteRpcMethod,
  play: CasePlay,
  calls: readonly ExpectedCall[],
): Promise<readonly CheckedResponse[]> {
  const responses: CheckedResponse[] = [];
  for (const call of calls) {
    const replies = await repliesTo(context, method, play, call);
    for (const reply of replies) {
      const missing = missingFindings(context, method, reply, play);
      const findings = missing ?? findingsOf(context, method, reply, call);
      responses.push({ kind: missing === undefined ? kindOf(method, reply) : "unclear", findings });
    }
  }
  return responses;
}

async function repliesTo(
  context: RpcContext,
  method: SuiteRpcMethod,
  play: CasePlay,
  { input, expectation: { kind, isSurplus } }: ExpectedCall,
): Promise<readonly RpcReply[]> {
  const own = { ...context, refusedStyles: refusedStylesOf(context, play) };
  if (kind === "accepted") return [await ask(context, play, method, sendableInput(own, method, input) ?? input)];
  const forms = isSurplus === true ? surplusParams(own, method, input) : [invalidParams(own, method, input)];
  const replies: RpcReply[] = [];
  for (const params of forms) if (params !== undefined) replies.push(await askWith(context, play, method, params));
  return replies.length === 0 ? play.skip("The target does not take parameters by name") : replies;
}

/** Returns what an outcome says of the input of its call. */
export function kindOf(method: SuiteRpcMethod, { outcome }: RpcReply): CheckedResponse["kind"] {
  if (outcome.kind === "result") return "accepted";
  if (outcome.kind === "unreadable") return "failed";
  const code = Number(outcome.fault.code);
  if (code === errorCodes.internalError) return "failed";
  if (namesAlternatives(outcome.fault.message, method.parameters)) return "unclear";
  if (code === errorCodes.invalidParams && !isAbsenceFault(outcome.fault)) return "refused";
  return documentedCodes(method).has(code) || isAbsenceFault(outcome.fault) ? "absent" : "unclear";
}

const certainties: Readonly<Record<"documented" | "likely", Certainty>> = { documented: "certain", likely: "likely" };

function findingsOf(
  context: RpcContext,
  method: SuiteRpcMethod,
  reply: RpcReply,
  { expectation }: ExpectedCall,
): readonly Finding[] {
  const { kind, certainty, rule, subject } = expectation;
  const place = placeOf(expectation);
  if (kind === "accepted") {
    const isRefused = certainty === "open" && ["refused", "absent"].includes(kindOf(method, reply));
    if (isRefused) return reply.findings;
    const known = certainties[certainty === "open" ? "likely" : certainty];
    return goodFindings(method, reply, known, goodInput(context, method) !== undefined, { rule, subject, place });
  }
  const { accepted } = expectation;
  return refusalFindings(method, reply, {
    place: place ?? method.place,
    isHoped: certainty !== "documented",
    acceptedRule: rule,
    subject,
    ...(accepted === undefined ? {} : { accepted }),
  });
}

function placeOf({ place, parameter }: Expectation): string | undefined {
  return place ?? parameter?.place ?? parameter?.type.place;
}

/** Parameters that are sent as they are. By position only the last ones can be missing. */
export function invalidParams(context: RpcContext, method: SuiteRpcMethod, input: Input): RpcParams {
  const { refusedStyles } = context;
  const missing = requiredOf(method).find(({ property }) => input[property] === undefined);
  if (missing === undefined) return paramsOf(method, sendableInput(context, method, input) ?? input);
  if (Object.keys(input).length === 0) return method.parameterStructure === "by-name" ? {} : [];
  if (method.parameterStructure !== "by-position" && !refusedStyles.has("by-name"))
    return paramsOf(method, input, "by-name");
  return method.parameters.slice(0, method.parameters.indexOf(missing)).map(({ property }) => input[property]);
}

/** One more by position where every parameter has a value, and one of an unknown name. */
function surplusParams(
  { refusedStyles, session }: RpcContext,
  method: SuiteRpcMethod,
  input: Input,
): readonly RpcParams[] {
  const { parameterStructure, parameters } = method;
  const values = parameters.map((parameter) => {
    const shown = [input[parameter.property], parameter.default, parameter.type.default, parameter.examples?.[0]];
    const ofExamples = method.examples.map((example) => example.input[parameter.property]);
    return [...shown, ...ofExamples, ...session.live.valuesOf(method.name, parameter)].find(
      (candidate) => candidate !== undefined && candidate !== null,
    );
  });
  const isFull = parameterStructure !== "by-name" && !values.includes(undefined);
  const takesNames = parameterStructure !== "by-position" && !refusedStyles.has("by-name");
  return [
    ...(isFull ? [[...values, "surplus"]] : []),
    ...(takesNames ? [{ ...paramsOf(method, input, "by-name"), "no-such-parameter": 1 }] : []),
  ];
}
