export type { Leave, WatchMember } from "./basics/audience.ts";
export { BoundedCache } from "./basics/bounded-cache.ts";
export { SharedWork } from "./basics/shared-work.ts";
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
} from "./operations/codec.ts";
export {
  graphqlErrorResponse,
  graphqlExtensions,
  prefersJson,
  restErrorResponse,
  rpcErrorResponse,
  rpcErrorObject,
} from "./errors/error-body.ts";
export type { ErrorResponse, RpcErrorObject, RpcId } from "./errors/error-body.ts";
export { HttpFailure, isHttpFailure } from "./errors/http-failure.ts";
export type { HttpFailureOptions } from "./errors/http-failure.ts";
export { isDeeperThan } from "./json/json-depth.ts";
export { readLosslessJson, rawJson, writeLosslessJson } from "./json/lossless-json.ts";
export type { JsonNumber, RawJson } from "./json/lossless-json.ts";
export { noValue } from "./operations/operation.ts";
export type {
  AnyOperation,
  ContentFacts,
  ContentForm,
  Decoding,
  FailureFacts,
  GraphqlDocumentFacts,
  GraphqlOperation,
  Handler,
  HeaderFacts,
  HttpCall,
  HttpOperation,
  ExtensionFacts,
  NextPageFacts,
  PageRangeFacts,
  ParameterFacts,
  ParameterStyle,
  PropertyFacts,
  RpcCall,
  RpcOperation,
  ScalarDecoding,
  SecurityRequirementFacts,
  SecuritySchemeFacts,
  StatusPattern,
  StructureDecoding,
  SuccessFacts,
  ValueCodec,
  ValueFacts,
} from "./operations/operation.ts";
export { isPreparedJson, PreparedJson } from "./json/prepared-json.ts";
export type { PreparedReply } from "./json/prepared-json.ts";
export { writeRpcParameters } from "./operations/rpc-parameters.ts";
export type { ParameterAliases } from "./operations/rpc-parameters.ts";
export { evaluateExpression } from "./operations/runtime-expression.ts";
export type { ExpressionSubject } from "./operations/runtime-expression.ts";
export { errorAppearances, isServiceError, ServiceError } from "./errors/service-error.ts";
export type { ErrorAppearance, ServiceErrorCode, ServiceErrorOptions } from "./errors/service-error.ts";
export type { Violation } from "./errors/violation.ts";
export { createWebhookSender } from "./client/webhook-sender.ts";
export type { CallbackFacts, CallbackSource, WebhookSender, WebhookSenderOptions } from "./client/webhook-sender.ts";
export { resolvePointer } from "./json/json-pointer.ts";
export { findContent } from "./operations/media-type.ts";
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
