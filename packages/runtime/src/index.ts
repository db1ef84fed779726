export { BoundedCache } from "./bounded-cache.ts";
export {
  ApiError,
  GraphqlError,
  InvalidResponseError,
  isApiError,
  isGraphqlError,
  isInvalidResponseError,
  isRpcError,
  isTimeoutError,
  isTransportError,
  RpcError,
  TimeoutError,
  TransportError,
} from "./client/client-errors.ts";
export type { DeclaredFailure, GraphqlErrorEntry, UndeclaredFailure } from "./client/client-errors.ts";
export { defaultClientOptions } from "./client/client-options.ts";
export type {
  ResponseHead,
  CallOptions,
  ChunkedCallOptions,
  ClientFacts,
  ClientOptions,
  CommonClientOptions,
  GivenClientOptions,
  KeyNames,
  Transport,
  TransportRequest,
  TransportResponse,
} from "./client/client-options.ts";
export type {
  BasicCredential,
  BasicCredentialOption,
  Credential,
  Credentials,
  SecurityFacts,
} from "./client/credentials.ts";
export { fetchTransport } from "./client/fetch-transport.ts";
export { createGraphqlClient } from "./client/graphql-client.ts";
export type { GraphqlClient, GraphqlQuery, GraphqlQueryOptions, GraphqlSubscribe } from "./client/graphql-client.ts";
export type { GraphqlSubscription } from "./client/graphql-subscription.ts";
export { createHttpClient } from "./client/http-client.ts";
export type {
  BytesCall,
  HttpClient,
  NegotiatedBody,
  NegotiatedCall,
  OptionalBytesCall,
  OptionalNegotiatedCall,
} from "./client/http-client.ts";
export { failedRange } from "./client/page-ranges.ts";
export type { PageRange } from "./client/page-ranges.ts";
export type { ItemAt, PageOptions, RangePage, RangePages, RangePagesCall } from "./client/range-pages.ts";
export { createRpcClient } from "./client/rpc-client.ts";
export type { BatchCall, BatchMember, BatchOutcome, BatchOutcomes, RpcClient } from "./client/rpc-client.ts";
export { serverUrl } from "./client/server-url.ts";
export type { ServerFacts } from "./client/server-url.ts";
export {
  decodeBigint,
  decodeBitcoinAmount,
  decodeNumber,
  encodeBigint,
  encodeBitcoinAmount,
  formatBitcoinAmount,
} from "./codec.ts";
export {
  graphqlErrorResponse,
  graphqlExtensions,
  prefersJson,
  restErrorResponse,
  rpcErrorResponse,
  rpcErrorObject,
} from "./error-body.ts";
export type { ErrorResponse, RpcErrorObject, RpcId } from "./error-body.ts";
export { HttpFailure, isHttpFailure } from "./http-failure.ts";
export type { HttpFailureOptions } from "./http-failure.ts";
export { isDeeperThan } from "./json-depth.ts";
export { readLosslessJson, rawJson, writeLosslessJson } from "./lossless-json.ts";
export type { JsonNumber, RawJson } from "./lossless-json.ts";
export { noValue } from "./operation.ts";
export type * from "./operation.ts";
export { isPreparedJson, PreparedJson } from "./prepared-json.ts";
export type { PreparedReply } from "./prepared-json.ts";
export { writeRpcParameters } from "./rpc-parameters.ts";
export type { ParameterAliases } from "./rpc-parameters.ts";
export { evaluateExpression } from "./runtime-expression.ts";
export type { ExpressionSubject } from "./runtime-expression.ts";
export { errorAppearances, isServiceError, ServiceError } from "./service-error.ts";
export type { ErrorAppearance, ServiceErrorCode, ServiceErrorOptions } from "./service-error.ts";
export type { Violation } from "./violation.ts";
export { createWebhookSender } from "./webhook-sender.ts";
export type { CallbackFacts, CallbackSource, WebhookSender, WebhookSenderOptions } from "./webhook-sender.ts";
export { resolvePointer } from "./json-pointer.ts";
export { findContent } from "./media-type.ts";
export {
  decodeBody,
  decodeItems,
  decodeScalar,
  type EncodedBody,
  encodeBody,
  encodeItem,
  EventParser,
  FileBytes,
  type FileFacts,
  isStreamed,
  isWireError,
  JsonLinesParser,
  type ServerSentEvent,
  type WrittenParameters,
  writeParameters,
} from "./wire/index.ts";
