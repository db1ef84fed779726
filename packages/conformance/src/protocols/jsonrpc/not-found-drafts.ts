import { finding } from "../../contract/finding.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { type DeclaredAbsence, planNotFound } from "../../properties/not-found.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import { withPlace } from "../../suite/with-place.ts";
import { failedCall } from "./failed-call.ts";
import { requiredOf } from "./good-inputs.ts";
import { documentsAbsence, documentsAbsenceOf, isAbsenceFailure } from "./refusal.ts";
import { documentedCodes } from "./rpc-call.ts";
import type { RpcDraft, RpcContext } from "./rpc-context.ts";
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
export function notFoundDrafts(context: RpcContext, method: SuiteRpcMethod, base: Input): readonly RpcDraft[] {
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
    declared: (parameter) => declaredAbsence(method, parameter as SuiteParameter),
    call: async (play, input) => {
      const called = await failedCall(context, method, play, input);
      const { failure } = called;
      if (failure === undefined || failure.kind === "unclear" || documentsAbsence(method)) return called;
      if (documentedCodes(method).has(failure.code)) return called;
      const text = "the error is none that is documented";
      const plain = finding(rpcRules.plainAbsentCode, text, failure.text, { place: method.place });
      return { ...called, findings: [...called.findings, plain] };
    },
  }).map(({ input, ...one }) => ({ ...one, group: "negative", params: paramsOf(method, input) }));
}

function declaredAbsence(method: SuiteRpcMethod, parameter: SuiteParameter): DeclaredAbsence | undefined {
  const failures = method.failures.filter(isAbsenceFailure);
  const [failure] = failures;
  if (failure === undefined) return undefined;
  const codes = failures.map(({ rpcCode }) => rpcCode ?? "that is documented");
  // Next to another required parameter, what does not exist may be what that one names.
  const isOwn = requiredOf(method).length === 1 || documentsAbsenceOf(method, parameter);
  const text = `the error ${codes.join(" or ")}`;
  return { text, codes: [...documentedCodes(method)], isOwn, ...withPlace(failure.place) };
}
