import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that systems give to outgoing connections: one of those may be gone again before the program asks for it. */
const ports = { from: 15_000, to: 30_000 };

const attempts = 100;

/** A loopback port that nobody listens on now, for programs that can't choose one themselves. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = randomInt(ports.from, ports.to);
    if (await canListen(port)) return port;
  }
  throw new Error(`No free port between ${ports.from} and ${ports.to}`);
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
