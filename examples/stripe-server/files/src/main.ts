import fastify from "fastify";
import { createStripeRoutes } from "stripe-api/server";
import { handlers } from "./handlers/index.ts";

const available = new Map([["eur", 2500]]);
const server = fastify();
await server.register(createStripeRoutes({ handlers, context: () => ({ available }) }));
console.log(await server.listen({ host: "127.0.0.1", port: 0 }));
process.once("SIGTERM", () => server.close());
