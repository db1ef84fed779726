import type { RequestListener } from "node:http";

export type WorldKind = "rest" | "rpc" | "graphql";

/** A request of the corpus that shows whether a mutant behaves otherwise than the correct server. */
export type Probe =
  | {
      readonly kind: "rest";
      readonly method: string;
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  | { readonly kind: "rpc"; readonly body: string; readonly method?: string; readonly contentType?: string }
  | {
      readonly kind: "graphql";
      readonly query: string;
      readonly variables?: Readonly<Record<string, unknown>>;
      readonly get?: boolean;
      readonly accept?: string;
      readonly raw?: string;
    };

/** What a world's servers share: the time, in milliseconds since the server was started. */
export type Clock = () => number;

/** A correct server with its document, both as somebody who never heard of this project would write them. */
export interface World {
  /** kebab-case: `rest-explorer`. */
  readonly name: string;
  readonly kind: WorldKind;
  /** True: what it serves grows while it runs. */
  readonly isLive: boolean;
  /** The document's file name and text. */
  readonly document: { readonly fileName: string; readonly text: string };
  /** GraphQL: operations shown with the schema. */
  readonly operations?: { readonly fileName: string; readonly text: string };
  /** Where the interface is below the server's origin: `` or `/graphql`. */
  readonly basePath: string;
  /** Requests to which correct answers are known to be of the document, valid and invalid ones. */
  readonly corpus: readonly Probe[];
  createListener(clock: Clock): RequestListener;
}
