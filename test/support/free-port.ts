import { createServer } from "node:net";

/** A loopback port that nobody listens on now, for programs that can't choose one themselves. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("No port");
  return address.port;
}
