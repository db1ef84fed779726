import { type Finding, finding } from "../../contract/finding.ts";
import type { CaseDraft } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import { sameValueFindings } from "../../properties/value-findings.ts";
import { resultTypeOf } from "../../suite/result-type.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import { callOperation, callWith, faultText } from "./rpc-call.ts";
import { memoryKey, type RpcContext } from "./rpc-context.ts";
import type { RpcOperation } from "./rpc-operation.ts";
import { hasUnfilledGap, type Input, paramsOf, type ParamsStyle, plainStyle } from "./rpc-params.ts";
import { rpcRules } from "./rpc-rules.ts";

/**
 * Plans a call by name instead of by position, or the reverse. A server that accepts one way only is reported once, by the first method
 * with parameters: as a violation where the document states `either`, as a hint where it states nothing.
 */
export function* styleDrafts({ context, method }: RpcOperation): Generator<CaseDraft> {
  const { parameterStructure = "either" } = method;
  const input = styledInput(context, method);
  if (parameterStructure !== "either" || input === undefined) return;
  const style = otherStyle(method, input);
  if (context.refusedStyles.has(style) && !context.takenStyles.has(style)) return;
  const refused: Rule = method.parameterStructure === undefined ? rpcRules.byNameHoped : rpcRules.structure;
  const words = style.replace("-", " ");
  yield {
    group: "live",
    name: style,
    rule: rpcRules.byName,
    expected: "the same as with parameters in the other way",
    requests: 2,
    usualRequests: 1,
    isLive: true,
    sent: paramsOf(method, input, style),
    play: async (play) => {
      const known = context.memory.get(memoryKey(method, input));
      const before = known ?? (await callOperation(context, play, method, input)).outcome;
      const { outcome, findings } = await callOperation(context, play, method, input, style);
      if (outcome.kind !== "result") {
        if (outcome.kind === "error" && before.kind !== "result") return findings;
        context.refusedStyles.add(style);
        context.refusingMethods.add(method.name);
        const detail = outcome.kind === "error" ? faultText(outcome.fault) : "the result is not a response object";
        const found = finding(refused, `parameters ${words} are refused`, detail, method);
        return outcome.kind === "error" ? [...findings, found] : [found];
      }
      context.takenStyles.add(style);
      if (before.kind !== "result") return findings;
      const same = { rule: rpcRules.byName, subject: `the result with parameters ${words}`, place: method.place };
      const compare = (value: unknown): readonly Finding[] =>
        sameValueFindings(resultTypeOf(method), [before.value, value], context.suite.types, same);
      const found = compare(outcome.value);
      if (found.length === 0) return findings;
      // The difference counts only when both ways have a result of their own each time: otherwise the data changes.
      const textOf = (some: readonly Finding[]): string =>
        some.map(({ message, detail }) => `${message} ${detail ?? ""}`).join();
      for (let look = 0; look < looks; look += 1) {
        for (const [way, expected] of [[undefined, []] as const, [style, found] as const]) {
          const { outcome: again } = await callOperation(context, play, method, input, way);
          if (again.kind !== "result" || textOf(compare(again.value)) !== textOf(expected)) return findings;
        }
      }
      return [...findings, ...found];
    },
  };
}

/** Number of times that both ways are called again. */
const looks = 3;

/** Returns a good input that can be written in both ways, one with parameters if available. */
function styledInput({ session }: RpcContext, method: SuiteRpcMethod): Input | undefined {
  const good = session.live.goodInputsOf(method.name).filter((one) => !hasUnfilledGap(method.parameters, one));
  return good.findLast((one) => Object.keys(one).length > 0) ?? good[0];
}

function otherStyle(method: SuiteRpcMethod, input: Input): ParamsStyle {
  return plainStyle(method, input) === "by-name" ? "by-position" : "by-name";
}

/** Plans the check of a method that refuses a way of writing parameters which others accept and the document allows for all. */
export function* refusedStyleDrafts({ context, method }: RpcOperation): Generator<CaseDraft> {
  const input = styledInput(context, method);
  if (input === undefined || !context.refusingMethods.has(method.name)) return;
  const style = otherStyle(method, input);
  if (!context.takenStyles.has(style)) return;
  yield {
    group: "live",
    name: `${style}-as-others`,
    rule: rpcRules.byNameTaken,
    expected: "a result, as other methods take parameters in this way",
    sent: paramsOf(method, input, style),
    play: async (play) => {
      const { outcome, findings } = await callOperation(context, play, method, input, style);
      if (outcome.kind !== "error") return findings;
      const text = `parameters ${style.replace("-", " ")} are refused, though other methods take them`;
      return [...findings, finding(rpcRules.byNameTaken, text, faultText(outcome.fault), { place: method.place })];
    },
  };
}

/**
 * Plans a call in the way that a stated `paramStructure` excludes. OpenRPC forbids it to clients and does not define the server's
 * behaviour, so a server that accepts it violates no MUST.
 */
export function* excludedStyleDrafts({ context, method }: RpcOperation): Generator<CaseDraft> {
  const { parameterStructure = "either", place } = method;
  const input = styledInput(context, method);
  if (parameterStructure === "either" || input === undefined || Object.keys(input).length === 0) return;
  const style = otherStyle(method, input);
  if (context.refusedStyles.has(style)) return;
  const params = paramsOf(method, input, style);
  const words = style.replace("-", " ");
  yield {
    group: "live",
    name: `${style}-excluded`,
    rule: rpcRules.excludedStructure,
    expected: `an error, as the document states that parameters are ${parameterStructure.replace("-", " ")}`,
    sent: params,
    play: async (play) => {
      const { outcome, findings } = await callWith(context, play, method, params);
      if (outcome.kind !== "result") return findings;
      const text = `parameters ${words} are taken, which paramStructure excludes`;
      return [...findings, finding(rpcRules.excludedStructure, text, undefined, { place })];
    },
  };
}
