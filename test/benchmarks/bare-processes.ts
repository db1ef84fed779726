// What several processes cost without anything of ours: bare HTTP servers of Node that share a listener as serving processes do, each
// answering the same bytes each time. Argument: how many. Prints the port, then the processes' ids; ends when its input does.
import cluster from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const body = Buffer.from(JSON.stringify({ filler: "x".repeat(1_900) }));
const headers = { "content-type": "application/json", "content-length": body.length };

if (cluster.isPrimary) {
  const processes = Number(process.argv[2]);
  const shared = processes > 1;
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const workers = Array.from({ length: shared ? processes : 0 }, () => cluster.fork());
  const ports = shared
    ? (await Promise.all(workers.map((worker) => once(worker, "message")))).map(([port]) => Number(port))
    : [await listen()];
  console.log([ports[0], process.pid, ...workers.map((worker) => worker.process.pid)].join(" "));
  process.stdin.on("end", () => process.exit()).resume();
} else {
  process.send?.(await listen());
}

async function listen(): Promise<number> {
  const server = createServer((_request, response) => response.writeHead(200, headers).end(body));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
