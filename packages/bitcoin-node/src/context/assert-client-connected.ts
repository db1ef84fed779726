import { ServiceError } from "@nodewright/runtime";
import type { BitcoinNodeContext } from "./context.ts";

/** Throws if the client has disconnected, to abort its work between two time slices. Nobody receives the error. */
export function assertClientConnected({
  isClientDisconnected,
}: Pick<BitcoinNodeContext, "isClientDisconnected">): void {
  if (isClientDisconnected?.() === true)
    throw new ServiceError("invalid_request", "The client disconnected before the response");
}
