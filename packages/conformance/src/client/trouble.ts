export type TroubleKind = "ended" | "timeout" | "dns" | "refused" | "tls" | "reset" | "malformed" | "other";

/** Kinds of missing responses: a clause for people, and the names and codes of their errors. */
const troubles: Readonly<Record<TroubleKind, { readonly text: string; readonly codes: RegExp }>> = {
  ended: { text: "the run ended", codes: /^AbortError$/ },
  timeout: { text: "no response in time", codes: /^(?:TimeoutError|ETIMEDOUT|UND_ERR_\w+_TIMEOUT)$/ },
  dns: { text: "the host's name is not known", codes: /^(?:ENOTFOUND|EAI_)/ },
  refused: {
    text: "the connection is refused",
    codes: /^E(?:CONNREFUSED|HOSTUNREACH|NETUNREACH|HOSTDOWN|ADDRNOTAVAIL|ACCES)$/,
  },
  tls: { text: "TLS fails", codes: /^(?:ERR_(?:TLS|SSL)_|UNABLE_TO_|HOSTNAME_MISMATCH$|EPROTO$)|CERT/ },
  reset: {
    text: "the connection ended before the response was complete",
    codes: /^(?:ECONNRESET|EPIPE|UND_ERR_(?:SOCKET|CLOSED|DESTROYED|RES_CONTENT_LENGTH_MISMATCH))$/,
  },
  malformed: {
    text: "the response is not HTTP",
    codes: /^(?:HTTPParserError|HPE_\w+|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RESPONSE)$/,
  },
  other: { text: "the request failed", codes: /^$/ },
};

const kinds = Object.keys(troubles) as readonly TroubleKind[];

export interface Trouble {
  readonly kind: TroubleKind;
  /** A clause without URL and key: `the connection is refused (ECONNREFUSED)`. */
  readonly text: string;
}

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
  // The signals of a request abort it with these, whatever the connection says.
  if (codes.includes("TimeoutError")) return trouble("timeout");
  if (codes.includes("AbortError")) return trouble("ended");
  for (const code of codes) {
    const kind = kinds.find((one) => troubles[one].codes.test(code));
    if (kind !== undefined) return { kind, text: `${tlsSentences.get(code) ?? troubles[kind].text} (${code})` };
  }
  return trouble("other");
}

/** Returns trouble that a transport detected itself. */
export function trouble(kind: TroubleKind, text: string = troubles[kind].text): Trouble {
  return { kind, text };
}

/** Yields codes and names of an error, of its aggregated errors and of its causes, nearest first. */
function* codesOf(reason: unknown, depth = 0): Iterable<string> {
  if (!(reason instanceof Error) || depth > 5) return;
  if ("code" in reason && typeof reason.code === "string") yield reason.code;
  yield reason.name;
  if (reason instanceof AggregateError) for (const one of reason.errors) yield* codesOf(one, depth + 1);
  yield* codesOf(reason.cause, depth + 1);
}
