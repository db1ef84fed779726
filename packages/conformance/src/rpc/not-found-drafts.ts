import { plainName } from "../compare/volatile-names.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import { type DeclaredAbsence, type NotFoundOutcome, planNotFound } from "../properties/not-found.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import { withPlace } from "../suite/with-place.ts";
import { requiredOf } from "./good-inputs.ts";
import { missingFindings } from "./missing-method.ts";
import { documentsAbsence, documentsAbsenceOf, isAbsenceFailure } from "./refusal.ts";
import { askWith, documentedCodes, errorCodes, faultText } from "./rpc-call.ts";
import type { CaseDraft, RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import { type Input, paramsOf } from "./rpc-params.ts";
import { rpcRules } from "./rpc-rules.ts";

/** What is known of an address or a script need not be known before, and what ends a range need not exist. */
const addressedName =
  /stop|start|from|until|since|locator|script|addr|account|topic|code$|root|filter|data|tag|name$|label|type|kind|currency/;
/** Methods that look at a value itself, whatever it names. */
const lookingAtName = /^(?:.*[_.])?(?:validate|verify|is|has|decode|test|estimate|compute|derive|check)/i;
/** Names of numbers that say which thing is meant, and not how many. */
const namingNumber = /(?:height|number|id)$/;

/** Calls for things that do not exist, by identifiers of the form of those that do. */
export function notFoundDrafts(context: RpcContext, method: SuiteRpcMethod, base: Input): readonly CaseDraft[] {
  if (lookingAtName.test(method.method) && !documentsAbsence(method)) return [];
  const identifiers = requiredOf(method).filter(({ name, property }) => {
    const plain = plainName(name);
    return !addressedName.test(plain) && (typeof base[property] !== "number" || namingNumber.test(plain));
  });
  const { session, suite } = context;
  return planNotFound({
    types: suite.types,
    ...withPlace(method.place),
    identifiers,
    base,
    random: session.random.fork(`${method.name}/negative`),
    known: (parameter) => session.live.valuesOf(method.name, parameter as SuiteParameter),
    declared: (parameter) => declaredAbsence(method, parameter as SuiteParameter, identifiers.length === 1),
    call: async (play, input) => await callFor(context, method, play, input),
  }).map(({ input, ...one }) => ({ ...one, group: "negative", params: paramsOf(method, input) }));
}

function declaredAbsence(
  method: SuiteRpcMethod,
  parameter: SuiteParameter,
  isOnly: boolean,
): DeclaredAbsence | undefined {
  const failures = method.failures.filter(isAbsenceFailure);
  const [failure] = failures;
  if (failure === undefined) return undefined;
  const codes = failures.map(({ rpcCode }) => rpcCode ?? "that is documented");
  const isOwn = isOnly || documentsAbsenceOf(method, parameter);
  return { text: `the error ${codes.join(" or ")}`, isOwn, ...withPlace(failure.place) };
}

async function callFor(
  context: RpcContext,
  method: SuiteRpcMethod,
  play: CasePlay,
  input: Input,
): Promise<NotFoundOutcome> {
  const reply = await askWith(context, play, method, paramsOf(method, input));
  const { outcome, findings } = reply;
  const missing = missingFindings(context, method, reply, play);
  if (missing !== undefined) return { findings: missing };
  if (outcome.kind === "unreadable") return { findings };
  if (outcome.kind === "result") return { findings, result: { value: outcome.value } };
  const { place } = method;
  const code = Number(outcome.fault.code);
  const text = faultText(outcome.fault);
  if (code === errorCodes.methodNotFound || code === errorCodes.parseError) {
    const message = `something that is not there is answered with ${code}`;
    const wrong = finding(rpcRules.wrongCode, message, text, { place });
    return { findings: [...findings, wrong], failure: { kind: "unclear", text } };
  }
  if (documentedCodes(method).has(code)) return { findings, failure: { kind: "absent", text } };
  const kind = code === errorCodes.invalidParams ? "refused" : "other";
  if (documentsAbsence(method)) return { findings, failure: { kind, text } };
  const plain = finding(rpcRules.plainAbsentCode, "the error is none that is documented", text, { place });
  return { findings: [...findings, plain], failure: { kind, text } };
}
