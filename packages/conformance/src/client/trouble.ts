/** Kinds of missing responses: a clause for people, and the matching error codes. */
const troubles = {
  dns: { text: "the host's name is not known", codes: "ENOTFOUND EAI_AGAIN EAI_FAIL" },
  refused: {
    text: "the connection is refused",
    codes: "ECONNREFUSED EHOSTUNREACH ENETUNREACH EHOSTDOWN EADDRNOTAVAIL EACCES",
  },
  tls: {
    text: "TLS fails",
    codes: `CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REVOKED CERT_UNTRUSTED CERT_REJECTED DEPTH_ZERO_SELF_SIGNED_CERT
      SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY
      UNABLE_TO_VERIFY_LEAF_SIGNATURE HOSTNAME_MISMATCH EPROTO`,
  },
  timeout: {
    text: "no response in time",
    codes: "ETIMEDOUT UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT",
  },
  reset: {
    text: "the connection ended before the response was complete",
    codes: "ECONNRESET EPIPE UND_ERR_SOCKET UND_ERR_CLOSED UND_ERR_DESTROYED UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  },
  malformed: {
    text: "the response is not HTTP",
    codes: "HTTPParserError UND_ERR_HEADERS_OVERFLOW UND_ERR_RESPONSE",
  },
  ended: { text: "the run ended", codes: "" },
  other: { text: "the request failed", codes: "" },
} as const;

export type TroubleKind = keyof typeof troubles;

export interface Trouble {
  readonly kind: TroubleKind;
  /** A clause without URL and key: `the connection is refused (ECONNREFUSED)`. */
  readonly text: string;
}

const kindsByCode: ReadonlyMap<string, TroubleKind> = new Map(
  (Object.keys(troubles) as TroubleKind[]).flatMap((kind) =>
    troubles[kind].codes.split(/\s+/).map((code) => [code, kind] as const),
  ),
);

const tlsSentences: ReadonlyMap<string, string> = new Map([
  ["CERT_HAS_EXPIRED", "the certificate has expired"],
  ["CERT_NOT_YET_VALID", "the certificate is not valid yet"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "the certificate is self-signed"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "the certificate chain contains a self-signed certificate"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "the certificate is for another host"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "the server speaks no TLS here: its address may be one of http://"],
  ["EPROTO", "the server does not speak TLS as it should"],
]);

/** Returns the trouble for any exception of a transport. */
export function troubleOf(reason: unknown): Trouble {
  const codes = [...codesOf(reason)];
  if (codes.includes("TimeoutError")) return trouble("timeout");
  if (codes.includes("AbortError")) return trouble("ended");
  for (const code of codes) {
    const kind = kindOf(code);
    if (kind !== undefined) return { kind, text: `${tlsSentences.get(code) ?? troubles[kind].text} (${code})` };
  }
  return trouble("other");
}

/** Returns trouble that a transport detected itself. */
export function trouble(kind: TroubleKind, text: string = troubles[kind].text): Trouble {
  return { kind, text };
}

function kindOf(code: string): TroubleKind | undefined {
  const known = kindsByCode.get(code);
  if (known !== undefined) return known;
  if (code.startsWith("ERR_TLS_") || code.startsWith("ERR_SSL_")) return "tls";
  return code.startsWith("HPE_") ? "malformed" : undefined;
}

/** Yields codes and names of an error, of its aggregated errors and of its causes, nearest first. */
function* codesOf(reason: unknown, depth = 0): Iterable<string> {
  if (!(reason instanceof Error) || depth > 5) return;
  if ("code" in reason && typeof reason.code === "string") yield reason.code;
  yield reason.name;
  if (reason instanceof AggregateError) for (const one of reason.errors) yield* codesOf(one, depth + 1);
  yield* codesOf(reason.cause, depth + 1);
}
