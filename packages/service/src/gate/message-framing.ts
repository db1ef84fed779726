import type { IncomingMessage } from "node:http";
import { ServiceError } from "@nodewright/runtime";

/** Pattern of RFC 3986, section 3.2: a host, which may be empty, and a port. */
const hostPattern = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d{0,5})?$/i;

/**
 * Content codings with which clients compress bodies (RFC 9110, section 8.4.1). Other names are ignored: some clients put a charset here.
 */
const compressingCodings = /\b(?:gzip|compress|deflate|br|zstd)\b/i;

/** Pattern of the only expectation (RFC 9110, section 10.1.1). */
const continueExpectation = /(?:^|\W)100-continue(?:$|\W)/i;

const missingHost = new ServiceError("invalid_request", "The request has no Host header");
const severalHosts = new ServiceError("invalid_request", "The request has more than one Host header");
const invalidHost = new ServiceError("invalid_request", "The Host header is not valid");
const oldVersion = new ServiceError("invalid_request", "Transfer-Encoding needs HTTP/1.1");
const unknownTransferCoding = new ServiceError("not_implemented", "The only supported transfer coding is chunked", {
  rpcCode: -32_600,
});
const unknownContentCoding = new ServiceError(
  "unsupported_media_type",
  "The request body has to be sent without a content coding",
);

const unknownExpectation = new ServiceError("expectation_failed", "The only supported expectation is 100-continue");

/**
 * Returns the problem of a request whose headers leave open which host it is for or where its body ends, or contain an unsupported
 * expectation; `undefined` when they do not.
 *
 * Node itself checks the rest of RFC 9112: a length next to chunks, two lengths.
 */
export function problemOfFraming(request: IncomingMessage): ServiceError | undefined {
  return problemOfHost(request) ?? problemOfCodings(request) ?? problemOfExpectation(request);
}

/** Returns the problem of the host. RFC 9112, section 3.2: no Host, more than one or an invalid one results in 400. HTTP/1.0 needs none. */
function problemOfHost({ rawHeaders, httpVersion }: IncomingMessage): ServiceError | undefined {
  let host: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== 4 || name.toLowerCase() !== "host") continue;
    if (host !== undefined) return severalHosts;
    host = rawHeaders[at + 1];
  }
  if (host === undefined) return httpVersion === "1.1" ? missingHost : undefined;
  return hostPattern.test(host) ? undefined : invalidHost;
}

/** Returns the problem of the codings: RFC 9112, section 6.1, for transfer codings; RFC 9110, section 15.5.16, for content codings. */
function problemOfCodings({ headers, httpVersion }: IncomingMessage): ServiceError | undefined {
  const transferCoding = headers["transfer-encoding"];
  if (transferCoding !== undefined) {
    if (httpVersion !== "1.1") return oldVersion;
    if (transferCoding.toLowerCase() !== "chunked") return unknownTransferCoding;
  }
  const contentCoding = headers["content-encoding"];
  return contentCoding !== undefined && compressingCodings.test(contentCoding) ? unknownContentCoding : undefined;
}

/** Returns the problem of the expectation. Node accepts the `Expect` of HTTP/1.1 alone. */
function problemOfExpectation({ headers, httpVersion }: IncomingMessage): ServiceError | undefined {
  const isSupported = headers.expect === undefined || continueExpectation.test(headers.expect);
  return isSupported || httpVersion !== "1.1" ? undefined : unknownExpectation;
}
