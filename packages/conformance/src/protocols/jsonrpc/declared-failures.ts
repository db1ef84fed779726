import { isRecord } from "@nodewright/api-model";
import type { Finding } from "../../contract/finding.ts";
import { type DeclaredFailure, inspectFailure } from "../../properties/declared-error.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import { withPlace } from "../../suite/with-place.ts";
import { nameWords } from "../../basics/name-words.ts";
import type { RpcFault } from "./rpc-reply.ts";
import type { RpcParams } from "./rpc-request.ts";

/** Returns the errors of a method as failures for properties. */
export function declaredFailures({ failures }: SuiteRpcMethod): readonly (DeclaredFailure & { message?: string })[] {
  return failures.map(({ name, rpcCode, message, data, place }) => ({
    code: rpcCode,
    text: `the error ${rpcCode ?? "that is documented"}`,
    words: [...(message === undefined ? [] : [message]), nameWords(name).join(" ")],
    ...(message === undefined ? {} : { message }),
    ...(data === undefined ? {} : { data }),
    ...withPlace(place),
  }));
}

/** Returns the findings of an error that has the message of a documented one. */
export function declaredFailureFindings(
  method: SuiteRpcMethod,
  params: RpcParams | undefined,
  { code, message, data }: RpcFault,
): readonly Finding[] {
  const { parameters } = method;
  return inspectFailure(parameters, declaredFailures(method), {
    code: Number(code),
    message,
    data,
    sent: ({ name }) => {
      if (Array.isArray(params)) return params[parameters.findIndex((one) => one.name === name)] as unknown;
      return isRecord(params) ? params[name] : undefined;
    },
  });
}
