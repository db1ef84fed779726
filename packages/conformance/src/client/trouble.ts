/** Why no answer came. */
export type TroubleKind = "dns" | "refused" | "tls" | "timeout" | "reset" | "malformed" | "ended" | "other";

export interface Trouble {
  readonly kind: TroubleKind;
  /** One clause, without URL and key: `the connection is refused (ECONNREFUSED)`. */
  readonly text: string;
}

const kindsByCode: ReadonlyMap<string, TroubleKind> = new Map([
  ["ENOTFOUND", "dns"],
  ["EAI_AGAIN", "dns"],
  ["EAI_FAIL", "dns"],
  ["ECONNREFUSED", "refused"],
  ["EHOSTUNREACH", "refused"],
  ["ENETUNREACH", "refused"],
  ["EHOSTDOWN", "refused"],
  ["EADDRNOTAVAIL", "refused"],
  ["EACCES", "refused"],
  ["ETIMEDOUT", "timeout"],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
  ["UND_ERR_HEADERS_TIMEOUT", "timeout"],
  ["UND_ERR_BODY_TIMEOUT", "timeout"],
  ["ECONNRESET", "reset"],
  ["EPIPE", "reset"],
  ["UND_ERR_SOCKET", "reset"],
  ["UND_ERR_CLOSED", "reset"],
  ["UND_ERR_DESTROYED", "reset"],
  ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "reset"],
  ["HTTPParserError", "malformed"],
  ["UND_ERR_HEADERS_OVERFLOW", "malformed"],
  ["UND_ERR_RESPONSE", "malformed"],
  ["CERT_HAS_EXPIRED", "tls"],
  ["CERT_NOT_YET_VALID", "tls"],
  ["CERT_REVOKED", "tls"],
  ["CERT_UNTRUSTED", "tls"],
  ["CERT_REJECTED", "tls"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "tls"],
  ["UNABLE_TO_GET_ISSUER_CERT", "tls"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "tls"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
  ["HOSTNAME_MISMATCH", "tls"],
  ["EPROTO", "tls"],
]);

const sentences: Readonly<Record<TroubleKind, string>> = {
  dns: "the host's name is not known",
  refused: "the connection is refused",
  tls: "TLS fails",
  timeout: "no answer came in time",
  reset: "the connection ended before the answer was complete",
  malformed: "what came is no HTTP answer",
  ended: "the run ended",
  other: "the request failed",
};

const tlsSentences: ReadonlyMap<string, string> = new Map([
  ["CERT_HAS_EXPIRED", "the certificate has expired"],
  ["CERT_NOT_YET_VALID", "the certificate is not valid yet"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "the certificate is signed by itself"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "the certificate's chain is signed by itself"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "the certificate is for another host"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "the server speaks no TLS here: its address may be one of http://"],
  ["EPROTO", "the server does not speak TLS as it should"],
]);

/** What went wrong, of anything that a transport throws. */
export function troubleOf(reason: unknown): Trouble {
  const codes = [...codesOf(reason)];
  if (codes.includes("TimeoutError")) return trouble("timeout");
  if (codes.includes("AbortError")) return trouble("ended");
  for (const code of codes) {
    const kind = kindOf(code);
    if (kind !== undefined) return { kind, text: `${tlsSentences.get(code) ?? sentences[kind]} (${code})` };
  }
  return trouble("other");
}

/** Trouble that a transport found itself. */
export function trouble(kind: TroubleKind, text: string = sentences[kind]): Trouble {
  return { kind, text };
}

function kindOf(code: string): TroubleKind | undefined {
  const known = kindsByCode.get(code);
  if (known !== undefined) return known;
  if (code.startsWith("ERR_TLS_") || code.startsWith("ERR_SSL_")) return "tls";
  return code.startsWith("HPE_") ? "malformed" : undefined;
}

/** Codes and names of an error, of those it gathers and of its causes, the nearest first. */
function* codesOf(reason: unknown, depth = 0): Iterable<string> {
  if (!(reason instanceof Error) || depth > 5) return;
  if ("code" in reason && typeof reason.code === "string") yield reason.code;
  yield reason.name;
  if (reason instanceof AggregateError) for (const one of reason.errors) yield* codesOf(one, depth + 1);
  yield* codesOf(reason.cause, depth + 1);
}
