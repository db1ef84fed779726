import { valueFindings } from "./same-answer.ts";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import type { Level } from "../contract/rule.ts";
import type { SuiteExample, SuiteRpcMethod } from "../suite/suite.ts";
import { isOfTheDay, isSettled } from "./immutability.ts";
import { ask, askWith, documentedCodes, errorCodes, faultDataFindings, faultText, resultType } from "./rpc-call.ts";
import type { CaseDraft, RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import { paramsOf } from "./rpc-params.ts";
import type { RpcFault, RpcReply } from "./rpc-reply.ts";
import { rpcRules } from "./rpc-rules.ts";
import { missingFindings } from "./missing-method.ts";
import { isAbsenceFailure, isAbsenceFault } from "./refusal.ts";

/** A documented request, the answer of which is held to everything but its documented value: that is judged when all have answered. */
export function exampleDraft(context: RpcContext, method: SuiteRpcMethod, example: SuiteExample): CaseDraft {
  const { outcome } = example;
  return {
    group: "example",
    name: example.name,
    rule: outcome.kind === "success" ? rpcRules.exampleResult : rpcRules.exampleFailure,
    expected:
      outcome.kind === "success"
        ? "a result of the documented type"
        : `the error ${outcome.rpcCode ?? "that is documented"}${outcome.message === undefined ? "" : " with its message"}`,
    isLive: example.isLive === true,
    params: paramsOfExample(method, example),
    play: async (play) => await playExample(context, method, example, play),
  };
}

/** Holds the answers to examples to their documented values, where these are known to be of the target's data. */
export function exampleValueDraft(context: RpcContext, method: SuiteRpcMethod, example: SuiteExample): CaseDraft {
  const level = context.trust.blameForAbsence(method.name, example.name);
  const blamed = context.trust.blameFor(method.name, example.name);
  const isBlamed = blamed.differences.length > 0 || isAbsent(context, method, example);
  return {
    group: "example",
    name: `${example.name}-value`,
    rule: rpcRules.exampleValue,
    expected: "the documented value, where it can't change",
    requests: isBlamed ? 1 : 0,
    params: paramsOfExample(method, example),
    play: async (play) => {
      if (!isBlamed) return [];
      const reply = await askExample(context, method, example, play);
      seeExample(context, method, example, reply);
      if (reply.outcome.kind !== "result") return level === undefined ? [] : [absenceFinding(reply, example, level)];
      return exampleFindings(context, method, example);
    },
  };
}

/** Parameters as an example shows them, or as its input is written. */
function paramsOfExample(method: SuiteRpcMethod, example: SuiteExample): ReturnType<typeof paramsOf> {
  return example.params ?? paramsOf(method, example.input);
}

async function playExample(
  context: RpcContext,
  method: SuiteRpcMethod,
  example: SuiteExample,
  play: CasePlay,
): Promise<readonly Finding[]> {
  const reply = await askExample(context, method, example, play);
  const missing = missingFindings(context, method, reply, play);
  if (missing !== undefined) return missing;
  seeExample(context, method, example, reply);
  const { outcome } = example;
  if (reply.outcome.kind === "unreadable") return reply.findings;
  if (outcome.kind === "failure") return [...reply.findings, ...failureFindings(context, method, example, reply)];
  if (reply.outcome.kind === "result") return reply.findings;
  return [...reply.findings, ...refusedFindings(method, example, reply.outcome.fault)];
}

async function askExample(
  context: RpcContext,
  method: SuiteRpcMethod,
  example: SuiteExample,
  play: CasePlay,
): Promise<RpcReply> {
  // Parameters that no input can say may be wrong ones, so a result of them is not taken for a good one.
  if (example.params !== undefined || example.outcome.kind === "failure") {
    return await askWith(context, play, method, paramsOfExample(method, example));
  }
  return await ask(context, play, method, example.input);
}

function seeExample(context: RpcContext, method: SuiteRpcMethod, example: SuiteExample, reply: RpcReply): void {
  const { outcome } = example;
  const common = {
    operation: method.name,
    example: example.name,
    isLive: example.isLive === true || example.mayFail === true,
    isImmutable: isSettled(method, example.input),
    asksForState: Object.keys(example.input).length === 0,
  };
  if (outcome.kind === "failure") {
    const isConfirmed = reply.outcome.kind === "error" && Number(reply.outcome.fault.code) === outcome.rpcCode;
    if (isConfirmed) context.trust.see({ ...common, result: { kind: "confirmed" } });
  } else if (reply.outcome.kind === "result") {
    const result = { type: resultType(method), documented: outcome.value, actual: reply.outcome.value } as const;
    context.trust.see({ ...common, result: { kind: "answered", ...result } });
  } else if (reply.outcome.kind === "error") {
    context.trust.see({ ...common, result: { kind: "absent" } });
    context.absentExamples.add(`${method.name}/${example.name}`);
  }
}

/** What an example asks for need not be at this target, so a documented error is no fault yet. */
function refusedFindings(method: SuiteRpcMethod, example: SuiteExample, fault: RpcFault): readonly Finding[] {
  const { place } = example;
  const code = Number(fault.code);
  if (code === errorCodes.methodNotFound || code === errorCodes.parseError) {
    return [
      finding(rpcRules.wrongCode, "a call of a method that is there is answered as if it were not", faultText(fault), {
        place,
      }),
    ];
  }
  if (documentedCodes(method).has(code) || example.mayFail === true) return [];
  // A range of blocks that ends beyond this target's last one is refused with the code of wrong parameters by some.
  const namesSomething = Object.keys(example.input).length > 0 || example.params !== undefined;
  if (namesSomething && isAbsenceFault(fault)) return [];
  if (code === errorCodes.invalidParams || code === errorCodes.invalidRequest) {
    return [finding(rpcRules.goodRefused, "the parameters of the example are refused", faultText(fault), { place })];
  }
  if (!namesSomething) {
    return [finding(rpcRules.exampleResult, "the call without parameters gives an error", faultText(fault), { place })];
  }
  if (code === errorCodes.internalError) {
    return [finding(rpcRules.brokenServer, "the example fails inside of the server", faultText(fault), { place })];
  }
  return [
    finding(rpcRules.goodFailed, "the example gives an error that is not documented", faultText(fault), { place }),
  ];
}

function failureFindings(
  context: RpcContext,
  method: SuiteRpcMethod,
  example: SuiteExample,
  reply: RpcReply,
): readonly Finding[] {
  const { outcome, place } = example;
  if (outcome.kind !== "failure") return [];
  const { rpcCode, message } = outcome;
  const expected = { name: method.failures.find((one) => one.rpcCode === rpcCode)?.name ?? "", message: message ?? "" };
  if (reply.outcome.kind !== "error") {
    const text = `there is a result instead of the error${rpcCode === undefined ? "" : ` ${rpcCode}`}`;
    return [finding(rpcRules.exampleFailure, text, undefined, { place })];
  }
  const { fault } = reply.outcome;
  const findings = [...faultDataFindings(context, method, fault)];
  if (rpcCode !== undefined && Number(fault.code) !== rpcCode) {
    // The object that the example is about need not be here.
    if (isAbsenceFault(fault) && !isAbsenceFailure(expected) && Object.keys(example.input).length > 0) {
      const text = "the example gives an error that is not documented";
      return documentedCodes(method).has(Number(fault.code))
        ? findings
        : [...findings, finding(rpcRules.goodFailed, text, faultText(fault), { place })];
    }
    findings.push(finding(rpcRules.exampleFailure, `the error is not ${rpcCode}`, faultText(fault), { place }));
  } else if (message !== undefined && fault.message !== message) {
    findings.push(finding(rpcRules.fixedMessage, "the error has another message", faultText(fault), { place }));
  }
  return findings;
}

function isAbsent(context: RpcContext, method: SuiteRpcMethod, example: SuiteExample): boolean {
  if (example.outcome.kind !== "success" || example.mayFail === true) return false;
  return (
    context.absentExamples.has(`${method.name}/${example.name}`) &&
    context.trust.blameForAbsence(method.name, example.name) !== undefined
  );
}

function absenceFinding(reply: RpcReply, { place }: SuiteExample, level: Level): Finding {
  const detail = reply.outcome.kind === "error" ? faultText(reply.outcome.fault) : undefined;
  const rule = level === "MUST" ? rpcRules.exampleResult : rpcRules.goodFailed;
  return finding(rule, "there is no result for an example whose data the target has", detail, { place });
}

/** Differences of an example that are told. */
const namedDifferences = 5;

function exampleFindings(context: RpcContext, method: SuiteRpcMethod, example: SuiteExample): readonly Finding[] {
  const { level, differences } = context.trust.blameFor(method.name, example.name);
  const rule = level === "MUST" && !isOfTheDay(method) ? rpcRules.exampleValue : rpcRules.exampleValueHoped;
  return valueFindings(differences, { rule, subject: "the result", place: example.place }, namedDifferences);
}
