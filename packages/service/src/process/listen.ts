import type { FastifyInstance } from "fastify";
import { StartProblem } from "../configuration/start-problem.ts";

/** Makes a listener listen and returns its port. Throws `StartProblem` when the address is unavailable. */
export async function listen(
  listener: FastifyInstance,
  host: string,
  port: number,
  portOption: string = "--port",
): Promise<number> {
  try {
    await listener.listen({ host, port });
  } catch (error) {
    throw listenProblem(error, host, port, portOption);
  }
  const address = listener.server.address();
  if (address === null || typeof address === "string") throw new Error("A listener on a port has an address");
  return address.port;
}

/** Returns the `StartProblem` for an error of listening; other errors are returned unchanged. */
export function listenProblem(error: unknown, host: string, port: number, portOption: string = "--port"): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const explain = explanations[code];
  return explain === undefined ? error : new StartProblem(explain(host, port, portOption));
}

type Explanation = (host: string, port: number, portOption: string) => string;

const explanations: Readonly<Record<string, Explanation>> = {
  EADDRINUSE: (_host, port, option) =>
    `Port ${port} is in use by another program: stop that one, or choose another port with ${option} (0 picks a free one).`,
  EACCES: (_host, port, option) => `Port ${port} may not be used by this user: choose one above 1023 with ${option}.`,
  EADDRNOTAVAIL: (host) => `${host} is not an address of this machine: choose another one with --host.`,
  ENOTFOUND: (host) => `The host ${host} is unknown: give an address of this machine with --host.`,
  EAI_AGAIN: (host) => `The host ${host} can't be looked up: give an address of this machine with --host.`,
};
