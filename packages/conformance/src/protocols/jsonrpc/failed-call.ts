import { finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { FailedCall } from "../../properties/failed-call.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import { missingFindings } from "./missing-method.ts";
import { askWith, errorCodes, faultText } from "./rpc-call.ts";
import type { RpcContext } from "./rpc-context.ts";
import { type Input, paramsOf } from "./rpc-params.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Makes a call that has to fail. */
export async function failedCall(
  context: RpcContext,
  method: SuiteRpcMethod,
  play: CasePlay,
  input: Input,
): Promise<FailedCall> {
  const reply = await askWith(context, play, method, paramsOf(method, input));
  const { outcome, findings } = reply;
  const missing = missingFindings(context, method, reply, play);
  if (missing !== undefined) return { findings: missing };
  if (outcome.kind === "unreadable") return { findings };
  if (outcome.kind === "result") return { findings, result: { value: outcome.value } };
  const code = Number(outcome.fault.code);
  const text = faultText(outcome.fault);
  if (code === errorCodes.methodNotFound || code === errorCodes.parseError) {
    const wrong = finding(rpcRules.wrongCode, `invalid parameters lead to ${code}`, text, { place: method.place });
    return { findings: [...findings, wrong], failure: { code, kind: "unclear", text } };
  }
  return { findings, failure: { code, kind: code === errorCodes.invalidParams ? "refused" : "other", text } };
}
