import type { NodeIdentity } from "@nodewright/bitcoin-node";
import type { NodeReport } from "../node/node-report.ts";
import type { ServiceStatus } from "../gate/public-listener.ts";
import type { UpstreamsOfNode } from "../node/sum-upstreams.ts";

/** Configuration, the first message to a serving process. */
export interface ServingConfiguration {
  readonly kind: "configuration";
  readonly host: string;
  readonly port: number;
  readonly registryPath: string;
  readonly identity: NodeIdentity;
  /** Whether GraphiQL is at `/docs` of the public listener. */
  readonly publicDocs: boolean;
  /** Start time of the service, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly news: ServingNews;
}

/** Message about each change. */
export interface ServingNews {
  readonly kind: "news";
  readonly nodes: readonly NodeReport[];
  readonly status: ServiceStatus;
}

export type MessageToServing = ServingConfiguration | ServingNews;

/** Message from a serving process. */
export type MessageFromServing =
  | { readonly kind: "listening" }
  /** It can't serve; the text is for the operator. */
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "internal-error"; readonly description: string }
  /** Periodic report. */
  | { readonly kind: "upstreams"; readonly nodes: readonly UpstreamsOfNode[] };
