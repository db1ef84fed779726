/** A Bitcoin node that a test starts, alone, on loopback. It has the same port and the same best chain when it is started again. */
export interface BitcoinProgram {
  /** Without credentials. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Receives the coins that the node mines. */
  readonly miningAddress: string;
  /** Where other nodes reach it; undefined when it does not listen. */
  readonly peerAddress: string | undefined;
  /** Of the process that runs; 0 while none does. */
  readonly pid: number;
  /** Calls a method. Throws `NodeRefusal` for an error response. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** Calls a method once for each list of parameters; returns the results in their order. Throws `NodeRefusal` when one is refused. */
  callEach(method: string, each: readonly (readonly unknown[])[]): Promise<readonly unknown[]>;
  /** Mines blocks on the best one; returns their hashes, ascending. */
  generate(count: number): Promise<readonly string[]>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The credentials of the nodes that tests start. */
export const nodeCredentials = { user: "alice", password: "a-word-nobody-may-see" } as const;

/** Of a key that nobody has. */
export const miningAddress = "mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8";

/** A node's error response. */
export class NodeRefusal extends Error {
  readonly error: NodeError;

  constructor(method: string, error: NodeError) {
    super(`The node refuses ${method}: ${error.message}`);
    this.error = error;
  }
}

interface NodeError {
  readonly code: number;
  readonly message: string;
}

interface RpcResponse {
  readonly id: unknown;
  readonly result: unknown;
  readonly error?: NodeError | null;
}

/** Members of a batch: btcd closes the connection after each request, so one request for each call would exhaust ports. */
const callsPerRequest = 200;

/** Creates the calls of a node's JSON-RPC interface with Basic credentials. */
export function createNodeCalls(
  node: Pick<BitcoinProgram, "url" | "user" | "password">,
): Pick<BitcoinProgram, "call" | "callEach"> {
  const post = async (body: unknown): Promise<unknown> => {
    // Read anew for each call: a node may choose another password when it starts.
    const authorization = `Basic ${Buffer.from(`${node.user}:${node.password}`).toString("base64")}`;
    const response = await fetch(node.url, { method: "POST", headers: { authorization }, body: JSON.stringify(body) });
    return await response.json();
  };
  return {
    async call(method, ...params) {
      return resultOf(method, (await post({ jsonrpc: "1.0", id: 1, method, params })) as RpcResponse);
    },
    async callEach(method, each) {
      const results: unknown[] = [];
      for (let start = 0; start < each.length; start += callsPerRequest) {
        const calls = each.slice(start, start + callsPerRequest);
        const batch = calls.map((params, position) => ({ jsonrpc: "2.0", id: start + position, method, params }));
        const responses = new Map(((await post(batch)) as readonly RpcResponse[]).map((each) => [each.id, each]));
        for (const { id } of batch) {
          const response = responses.get(id);
          if (response === undefined) throw new Error(`The node sends no response to a call of ${method}`);
          results.push(resultOf(method, response));
        }
      }
      return results;
    },
  };
}

function resultOf(method: string, { result, error = null }: RpcResponse): unknown {
  if (error !== null) throw new NodeRefusal(method, error);
  return result;
}
