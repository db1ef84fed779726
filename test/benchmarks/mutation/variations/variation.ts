import type { Server, ServerResponse } from "node:http";
import type { Dispatch } from "../wire/message.ts";
import type { WorldKind } from "../worlds/world.ts";

/** A way in which a correct server may look strange. */
export interface Variation {
  /** kebab-case. */
  readonly name: string;
  readonly kinds: readonly WorldKind[];
  /** False: it does not apply to servers whose document shows what they would no longer serve. */
  readonly fits?: (world: string) => boolean;
  readonly wrap?: (dispatch: Dispatch) => Dispatch;
  readonly configure?: (server: Server) => void;
  readonly write?: (response: ServerResponse, body: Buffer) => void;
}
