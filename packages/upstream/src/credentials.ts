import { readFile } from "node:fs/promises";
import { learnNodeSecrets, secretsOfPassword } from "./node-secrets.ts";
import { UpstreamFailure } from "./upstream-failure.ts";

/** Credentials with which the service authenticates to a node. */
export type UpstreamCredentials =
  | { readonly kind: "none" }
  /** Bitcoin Core's `.cookie`: `user:password`, rewritten at each start of the node. */
  | { readonly kind: "cookie-file"; readonly path: string }
  | { readonly kind: "password"; readonly user: string; readonly password: string };

/**
 * Source of the Authorization header (RFC 7617, UTF-8). It keeps its secrets out of messages, dumps, JSON and the public texts of nodes.
 */
export interface CredentialsReader {
  /** Returns the header; undefined when there are no credentials. */
  authorization(): Promise<string | undefined>;
  /** Forgets what was read from a file. Returns false when there is nothing that could have changed. */
  forget(): boolean;
}

export function createCredentialsReader(credentials: UpstreamCredentials): CredentialsReader {
  switch (credentials.kind) {
    case "none":
      return { authorization: async () => undefined, forget: () => false };
    case "password": {
      const { user, password } = credentials;
      const header = basicAuthorization(`${user}:${password}`);
      learnNodeSecrets(header, secretsOfPassword(user, password));
      return { authorization: async () => header, forget: () => false };
    }
    case "cookie-file":
      return createCookieReader(credentials.path);
  }
}

function createCookieReader(path: string): CredentialsReader {
  let header: Promise<string> | undefined;
  return {
    authorization() {
      header ??= readCookie(path).catch((reason: unknown) => {
        header = undefined;
        throw reason;
      });
      return header;
    },
    forget() {
      header = undefined;
      return true;
    },
  };
}

async function readCookie(path: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (reason) {
    throw new UpstreamFailure("The node's cookie file cannot be read", {
      kind: "denied",
      mayHaveArrived: false,
      cause: reason,
    });
  }
  const cookie = text.trim();
  const colon = cookie.indexOf(":");
  if (colon === -1) {
    throw new UpstreamFailure("The node's cookie file does not hold a user and a password", {
      kind: "denied",
      mayHaveArrived: false,
    });
  }
  learnNodeSecrets(path, secretsOfPassword(cookie.slice(0, colon), cookie.slice(colon + 1)));
  return basicAuthorization(cookie);
}

function basicAuthorization(userAndPassword: string): string {
  return `Basic ${Buffer.from(userAndPassword).toString("base64")}`;
}
