import { namesAlternatives } from "../../inference/name-meaning.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { type Finding, finding } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import type { Place } from "../../suite/suite-type.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import { documentedCodes, errorCodes, faultText } from "./rpc-call.ts";
import type { RpcReply } from "./rpc-reply.ts";
import { rpcRules } from "./rpc-rules.ts";

/**
 * How sure it is that a call is a good one. `certain`: the document itself says so, by an example, a bound or a list of values.
 * `likely`: it is of its type, but types don't say
 * all that has to hold.
 */
export type Certainty = "certain" | "likely";

/** How a refusal of parameters is reported. */
interface Reported {
  readonly rule: Rule;
  /** Of the message. */
  readonly subject: string;
  readonly place: Place | undefined;
}

/**
 * Judges the answer to a call that the document allows: a result, or one of the method's errors. `isWorking`: the method has answered
 * other calls with a result, so that what stands behind it is there.
 */
export function goodFindings(
  method: SuiteRpcMethod,
  { outcome, findings }: RpcReply,
  certainty: Certainty,
  isWorking = false,
  reported?: Reported,
): readonly Finding[] {
  if (outcome.kind !== "error") return findings;
  const { fault } = outcome;
  const code = Number(fault.code);
  if (documentedCodes(method).has(code) && !(code === errorCodes.invalidParams && certainty === "certain"))
    return findings;
  const found = (rule: Rule, message: string, place = method.place): readonly Finding[] => [
    ...findings,
    finding(rule, message, faultText(fault), { place }),
  ];
  switch (code) {
    case errorCodes.methodNotFound:
    case errorCodes.parseError:
      return found(rpcRules.wrongCode, `a call of a method that is there is answered with ${code}`);
    case errorCodes.invalidParams:
    case errorCodes.invalidRequest: {
      if (namesAlternatives(faultText(fault), method.parameters)) return findings;
      if (reported !== undefined) return found(reported.rule, `${reported.subject} is refused`, reported.place);
      const rule = certainty === "certain" ? propertyRules.validInput : propertyRules.validInputLikely;
      return found(rule, "parameters that the document allows are refused");
    }
    case errorCodes.internalError: {
      const rule = isWorking && certainty === "certain" ? rpcRules.brokenByValue : rpcRules.brokenServer;
      return found(rule, "the call fails inside of the server");
    }
    default:
      return found(propertyRules.validInputLikely, "the call gives an error that is not documented");
  }
}
