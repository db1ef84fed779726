import type { ServerResponse } from "node:http";
import type { WatchMember } from "../basics/audience.ts";
import { ServiceError } from "../errors/service-error.ts";

/** Returns a watch for a client that has gone before its response was written. Its reason is never visible. */
export function watchClient(response: ServerResponse): WatchMember {
  return (leave) => {
    const go = (): void => leave(new ServiceError("invalid_request", "The client disconnected before the response"));
    if (response.destroyed) {
      go();
      return;
    }
    // The response is watched: a request closes as soon as its body is read, and a connection serves many of them.
    response.once("close", () => {
      if (!response.writableFinished) go();
    });
  };
}
