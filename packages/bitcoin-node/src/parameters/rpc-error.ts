import { ServiceError, type ServiceErrorCode } from "@nodewright/runtime";

/** Error codes of Bitcoin Core's JSON-RPC dialect that are used here. */
export const rpcErrorCodes = {
  /** Invalid number of parameters, and failures without a code of their own. */
  miscellaneous: -1,
  wrongType: -3,
  notFound: -5,
  invalidAddress: -5,
  invalidDescriptor: -5,
  invalidParameter: -8,
  cannotDecode: -22,
} as const;

/** Name of an error code of Bitcoin Core (`rpc/protocol.h`). */
export type RpcErrorName = keyof typeof rpcErrorCodes;

/** Kind of each failure in the service's own table. */
const serviceErrorCodes: Readonly<Record<RpcErrorName, ServiceErrorCode>> = {
  miscellaneous: "invalid_input",
  wrongType: "invalid_input",
  notFound: "not_found",
  invalidAddress: "invalid_input",
  invalidDescriptor: "invalid_input",
  invalidParameter: "invalid_input",
  cannotDecode: "invalid_input",
};

/** Creates an error in Bitcoin Core's dialect. */
export function rpcError(name: RpcErrorName, message: string): ServiceError {
  return new ServiceError(serviceErrorCodes[name], message, { rpcCode: rpcErrorCodes[name] });
}

/** Returns the same error, with the names of the affected parameters next to Bitcoin Core's message, which seldom has them. */
export function aboutParameters(error: ServiceError, parameters: readonly string[]): ServiceError {
  if (parameters.length === 0) return error;
  return new ServiceError(error.code, error.message, {
    rpcCode: error.rpcCode,
    details: { ...error.details, parameters },
  });
}
