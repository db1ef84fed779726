import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, it } from "vitest";
import { limitUnsentAnswers, type UnsentAnswersOptions } from "./unsent-answers.ts";

/** More than what the system takes off a process for a connection that nobody reads. */
const answerBytes = 16 * 1024 * 1024;
const options = { bytes: 2.5 * answerBytes, shortest: 1_000, patienceMilliseconds: 60_000, bytesPerSecond: 1e9 };

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function serve(changes: Partial<UnsentAnswersOptions> = {}): Promise<{ app: FastifyInstance; port: number }> {
  const app = fastify({ forceCloseConnections: true });
  opened.push(() => app.close());
  limitUnsentAnswers(app, { ...options, ...changes });
  app.get("/long", async () => "x".repeat(answerBytes));
  app.get("/short", async () => "x");
  await app.listen({ host: "127.0.0.1", port: 0 });
  return { app, port: (app.server.address() as AddressInfo).port };
}

/** Asks for the long answer; resolves when it begins to come, and reads no more of it. */
async function askAndWait(port: number): Promise<{ socket: Socket; head: string }> {
  const socket = connect(port, "127.0.0.1");
  opened.push(() => socket.destroy());
  socket.write("GET /long HTTP/1.1\r\nhost: a\r\n\r\n");
  const head = await new Promise<string>((resolve) => socket.once("data", (data) => resolve(data.toString("latin1"))));
  socket.pause();
  return { socket, head: head.slice(0, 12) };
}

it("refuses long answers beyond the bound with 503, short ones never, and takes them again when others were read", async () => {
  const { port } = await serve();
  const [first, second] = [await askAndWait(port), await askAndWait(port)];
  expect([first.head, second.head]).toEqual(["HTTP/1.1 200", "HTTP/1.1 200"]);

  const refused = await fetch(`http://127.0.0.1:${port}/long`);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: "OVERLOADED" } }] });
  expect((await fetch(`http://127.0.0.1:${port}/short`)).status).toBe(200);

  first.socket.destroy();
  await expect
    .poll(
      async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/long`);
        await answer.arrayBuffer();
        return answer.status;
      },
      { timeout: 10_000 },
    )
    .toBe(200);
});

it("closes the connection of who does not read", async () => {
  const { port } = await serve({ patienceMilliseconds: 20 });
  const { socket } = await askAndWait(port);
  await new Promise((resolve) => setTimeout(resolve, 200));
  // What the system had taken by then, and the end or the loss of the connection.
  const received = await text(socket).then(
    ({ length }) => length,
    () => 0,
  );
  expect(received).toBeLessThan(answerBytes);
});
