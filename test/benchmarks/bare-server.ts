// The floor under every answer: a Fastify route that sends the same bytes each time. Prints its port.
import fastify from "fastify";

const body = JSON.stringify({ filler: "x".repeat(1900) });
const server = fastify();
server.get("/tx/:txid", (_request, reply) =>
  reply.header("cache-control", "public, max-age=10").type("application/json").send(body),
);
await server.listen({ host: "127.0.0.1", port: 0 });
const address = server.server.address();
console.log(typeof address === "object" ? address?.port : address);
