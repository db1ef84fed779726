import { once } from "node:events";
import { createServer } from "node:net";
import { listenProblem } from "./listen.ts";

/**
 * Returns the port for several processes to listen on: `port`, or a free one for 0. Throws `StartProblem` when the address is unavailable.
 * The port is released again: all of them must get the same number, those that are started later too.
 */
export async function findPort(host: string, port: number): Promise<number> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("A listener on a port has an address");
    return address.port;
  } catch (error) {
    throw listenProblem(error, host, port);
  } finally {
    server.close();
  }
}
