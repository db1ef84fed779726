import type { ReceivedResponse, RecordedExchange, RecordedRequest } from "../contract/exchange.ts";
import type { SecretMask } from "@nodewright/secret-mask";
import type { WireRequest } from "./transport.ts";

/** Maximum number of characters of a body in reports. */
const recordedBodyLength = 4_000;

export interface ExchangeToRecord {
  /** Request with placeholders in place of the key. */
  readonly request: WireRequest;
  readonly startedAt: Date;
  readonly milliseconds: number;
  readonly response?: ReceivedResponse;
  readonly trouble?: string;
}

/** Returns an exchange for reports: without secrets, with long bodies cut. */
export function recordExchange(
  { request, startedAt, milliseconds, response, trouble }: ExchangeToRecord,
  mask: SecretMask,
): RecordedExchange {
  return {
    ...recordRequest(request, mask),
    startedAt: startedAt.toISOString(),
    milliseconds: Math.round(milliseconds * 10) / 10,
    response: response && recordResponse(response, mask),
    trouble: trouble && mask.mask(trouble),
  };
}

/** Returns a request for reports. */
export function recordRequest({ method, url, headers, body }: WireRequest, mask: SecretMask): RecordedRequest {
  return {
    method,
    url: mask.mask(url),
    headers: maskValues(Object.entries(headers), mask),
    body: body && mask.mask(typeof body === "string" ? body : Buffer.from(body).toString("hex")),
  };
}

function recordResponse(
  { status, headers, bytes, text }: ReceivedResponse,
  mask: SecretMask,
): RecordedExchange["response"] & {} {
  // A secret may extend across the cut.
  const start =
    text?.slice(0, 2 * recordedBodyLength) ?? Buffer.from(bytes.subarray(0, recordedBodyLength)).toString("hex");
  const shown = mask.mask(start.length < (text?.length ?? start.length) ? `${start}…` : start);
  return {
    status,
    headers: maskValues(headers, mask),
    size: bytes.length,
    body: shown.length > recordedBodyLength ? `${shown.slice(0, recordedBodyLength)}…` : shown,
  };
}

function maskValues(headers: Iterable<readonly [string, string]>, mask: SecretMask): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].map(([name, value]) => [name, mask.mask(value)]));
}
