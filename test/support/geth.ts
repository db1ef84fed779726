import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "./free-port.ts";
import { type NodeProgram, runProgram, startNodeProgram } from "./node-program.ts";

/** geth on loopback, alone, with every state of its chain kept, its GraphQL served beside its JSON-RPC. */
export interface Geth {
  /** Of its JSON-RPC. */
  readonly url: string;
  readonly graphqlUrl: string;
  readonly pid: number;
  /** Calls a method. Throws `GethRefusal` when the node refuses. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** Calls a method of the Engine API, as a consensus client does. Throws `GethRefusal` when the node refuses. */
  callEngine(method: string, ...params: readonly unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

export interface GethOptions {
  /** A file of the chain's first block and rules. */
  readonly genesis: string;
  /** A file of RLP blocks that are imported before it serves. */
  readonly blocks?: string;
  /** Further parameters of the program. */
  readonly parameters?: readonly string[];
}

/** Starts the geth at `path` with its data in `directory`. */
export async function startGeth(
  path: string,
  directory: string,
  { genesis, blocks, parameters = [] }: GethOptions,
): Promise<Geth> {
  mkdirSync(directory, { recursive: true });
  const data = ["--datadir", join(directory, "data"), "--state.scheme", "hash", "--gcmode", "archive"];
  await runProgram(path, [...data, "init", genesis]);
  if (blocks !== undefined) await runProgram(path, [...data, "import", blocks]);
  const secret = randomBytes(32);
  const secretFile = join(directory, "engine-secret");
  writeFileSync(secretFile, secret.toString("hex"), { mode: 0o600 });
  const [port, enginePort] = [await findFreePort(), await findFreePort()];
  const url = `http://127.0.0.1:${port}`;
  const call = async (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    await ask(url, {}, method, params);
  const program: NodeProgram = await startNodeProgram({
    path,
    parameters: [
      ...data,
      ...[
        "--nodiscover",
        "--maxpeers",
        "0",
        "--port",
        "0",
        "--ipcdisable",
        "--syncmode",
        "full",
        "--rpc.allow-unprotected-txs",
      ],
      ...["--http", "--http.port", String(port), "--http.api", "eth,debug,net,web3,txpool,admin", "--graphql"],
      ...["--authrpc.port", String(enginePort), "--authrpc.jwtsecret", secretFile],
      ...["--verbosity", "2"],
      ...parameters,
    ],
    isReady: async () => typeof (await call("eth_blockNumber")) === "string",
  });
  return {
    url,
    graphqlUrl: `${url}/graphql`,
    pid: program.pid,
    call,
    callEngine: async (method, ...params) =>
      await ask(`http://127.0.0.1:${enginePort}`, { authorization: `Bearer ${createToken(secret)}` }, method, params),
    stop: () => program.stop(),
  };
}

/** What geth answers in place of a result. */
class GethRefusal extends Error {
  readonly error: GethError;

  constructor(method: string, error: GethError) {
    super(`geth refuses ${method}: ${error.message}`);
    this.error = error;
  }
}

interface GethError {
  readonly code: number;
  readonly message: string;
}

async function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { readonly result?: unknown; readonly error?: GethError };
  if (error !== undefined) throw new GethRefusal(method, error);
  return result;
}

/** A JSON Web Token (RFC 7519) that says when it was made, which is all that the Engine API asks for. */
function createToken(secret: Buffer): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const content = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ iat: Math.floor(Date.now() / 1_000) })}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
}
