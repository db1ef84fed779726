import { isRecord } from "@nodewright/api-model";
import { type BodyResult, mediaTypeOf, readJson } from "../../../client/read-content.ts";
import type { ReceivedResponse } from "../../../contract/exchange.ts";
import { responseMediaType } from "../contract/graphql-request.ts";

/** An error of a response. */
export interface ResponseError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  /** Whether it has valid locations. */
  readonly isLocated: boolean;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** A GraphQL response (specification, section 7.1). */
export interface GraphqlResponse {
  readonly received: ReceivedResponse;
  /** `undefined` when it is too long to be read. */
  readonly body: BodyResult | undefined;
  /** Whether the HTTP response is a GraphQL response at all. */
  readonly isResponse: boolean;
  readonly hasData: boolean;
  /** `undefined` when it is absent. */
  readonly data: unknown;
  readonly errors: readonly ResponseError[];
}

/** Parses an HTTP response as a GraphQL response. */
export function readResponse(received: ReceivedResponse): GraphqlResponse {
  const body = received.isCut ? undefined : readJson(received);
  const members = body !== undefined && "value" in body && isRecord(body.value) ? body.value : {};
  const hasData = Object.hasOwn(members, "data");
  const { data, errors } = members;
  return {
    received,
    body,
    isResponse: hasData || Object.hasOwn(members, "errors"),
    hasData,
    data,
    errors: Array.isArray(errors) ? errors.map(readError) : [],
  };
}

/**
 * Returns whether a request failed before its execution: such a response has no data (specification, section 7.1.2), for which some servers
 * send null with an error status.
 */
export function isRequestError({ hasData, data, errors, received }: GraphqlResponse): boolean {
  const isPathless = errors.length > 0 && errors.every(({ path }) => path === undefined);
  return !hasData || (data === null && isPathless && received.status >= 400);
}

function readError(error: unknown): ResponseError {
  if (!isRecord(error)) return { message: "", isLocated: false, extensions: {} };
  const { message, locations, path, extensions } = error;
  return {
    message: typeof message === "string" ? message : "",
    isLocated: Array.isArray(locations) && locations.length > 0,
    extensions: isRecord(extensions) ? extensions : {},
    ...(Array.isArray(path) && isPath(path) ? { path } : {}),
  };
}

export function isPosition(value: unknown, least = 1): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= least;
}

export function isPath(value: unknown): boolean {
  return (
    value === null || (Array.isArray(value) && value.every((step) => typeof step === "string" || isPosition(step, 0)))
  );
}

/** Returns whether a response has GraphQL's own media type. */
export function isOwnMediaType(received: ReceivedResponse): boolean {
  return mediaTypeOf(received) === responseMediaType;
}
