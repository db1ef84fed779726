export {
  decodeBigint,
  decodeBitcoinAmount,
  decodeNumber,
  encodeBigint,
  encodeBitcoinAmount,
  formatBitcoinAmount,
} from "./codec.ts";
export {
  graphqlErrorAnswer,
  graphqlExtensions,
  prefersJson,
  restErrorAnswer,
  rpcErrorAnswer,
  rpcErrorObject,
} from "./error-body.ts";
export type { ErrorAnswer, RpcErrorObject, RpcId } from "./error-body.ts";
export { readLosslessJson, rawJson, writeLosslessJson } from "./lossless-json.ts";
export type { JsonNumber, RawJson } from "./lossless-json.ts";
export { noValue } from "./operation.ts";
export type * from "./operation.ts";
export { decodeScalar, writeParameter } from "./parameter-text.ts";
export { writeRpcParameters } from "./rpc-parameters.ts";
export { errorAppearances, isServiceError, ServiceError } from "./service-error.ts";
export type { ErrorAppearance, ServiceErrorCode, ServiceErrorOptions } from "./service-error.ts";
export type { Violation } from "./violation.ts";
