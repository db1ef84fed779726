import type { IncomingMessage } from "node:http";
import type { ServiceError } from "@nodewright/runtime";
import type { Chain, Grant, ServedInterface } from "../registry/registry.ts";

/** A node that this process answers for. */
export interface RunningNode {
  readonly id: string;
  readonly chain: Chain;
  /** Why the interface can't answer now, or `undefined` when it can. */
  unavailable(servedInterface: ServedInterface): ServiceError | undefined;
}

/** What the gate has found out about a request. */
type Admission<Node extends RunningNode> = Admitted<Node> | Refused;

export interface Admitted<Node extends RunningNode> {
  readonly admitted: true;
  readonly servedInterface: ServedInterface;
  readonly grant: Grant;
  readonly node: Node;
  /** The key that the request presented, for taking it out of messages that quote the request. */
  readonly key: string;
}

export interface Refused {
  readonly admitted: false;
  /** Whose shape the answer has. */
  readonly servedInterface: ServedInterface;
  readonly reason: ServiceError;
  /** Whether the connection is closed after the response: where the next request begins on it is not certain. */
  readonly endsConnection: boolean;
}

/** Keeps the gate's findings beside the requests that they are about. */
export interface Admissions<Node extends RunningNode> {
  remember(request: IncomingMessage, admission: Admission<Node>): void;
  find(request: IncomingMessage): Admission<Node> | undefined;
  /** For what runs behind the gate alone. */
  getAdmitted(request: IncomingMessage): Admitted<Node>;
}

export function createAdmissions<Node extends RunningNode>(): Admissions<Node> {
  // On the request itself: a table on the side that lets go of them is gone through by each collection of garbage.
  const key: unique symbol = Symbol("admission");
  type JudgedRequest = IncomingMessage & { [key]?: Admission<Node> };
  const find = (request: JudgedRequest): Admission<Node> | undefined => request[key];
  return {
    remember(request: JudgedRequest, admission) {
      request[key] = admission;
    },
    find,
    getAdmitted(request) {
      const admission = find(request);
      if (admission?.admitted !== true) throw new Error("A request has passed the gate without being admitted");
      return admission;
    },
  };
}
