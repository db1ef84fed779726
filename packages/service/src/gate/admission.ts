import type { IncomingMessage } from "node:http";
import type { ServiceError } from "@nodewright/runtime";
import type { Chain, Grant, ServedInterface } from "../registry/registry.ts";

/** A node that this process serves. */
export interface RunningNode {
  readonly id: string;
  readonly chain: Chain;
  /** Returns why the interface is unavailable, or `undefined` when it is available. */
  unavailable(servedInterface: ServedInterface): ServiceError | undefined;
}

/** Result of the gate for a request. */
type Admission<Node extends RunningNode> = Admitted<Node> | Refused;

export interface Admitted<Node extends RunningNode> {
  readonly admitted: true;
  readonly servedInterface: ServedInterface;
  readonly grant: Grant;
  readonly node: Node;
  /** Key that the request presented, for removing it from messages that quote the request. */
  readonly key: string;
}

export interface Refused {
  readonly admitted: false;
  /** Interface that determines the form of the response. */
  readonly servedInterface: ServedInterface;
  readonly reason: ServiceError;
  /** Whether the connection is closed after the response: the start of the next request on it is not certain. */
  readonly endsConnection: boolean;
}

/** Store of the gate's results for requests. */
export interface Admissions<Node extends RunningNode> {
  remember(request: IncomingMessage, admission: Admission<Node>): void;
  find(request: IncomingMessage): Admission<Node> | undefined;
  /** Returns the admission. Only for code after the gate. */
  getAdmitted(request: IncomingMessage): Admitted<Node>;
}

export function createAdmissions<Node extends RunningNode>(): Admissions<Node> {
  // Stored on the request itself: the garbage collector iterates over a separate weak table.
  const key: unique symbol = Symbol("admission");
  type CheckedRequest = IncomingMessage & { [key]?: Admission<Node> };
  const find = (request: CheckedRequest): Admission<Node> | undefined => request[key];
  return {
    remember(request: CheckedRequest, admission) {
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
