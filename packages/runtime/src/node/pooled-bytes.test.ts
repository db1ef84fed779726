import fastify from "fastify";
import { expect, test } from "vitest";
import { releaseBytes, isPooled, acquireBytes } from "./pooled-bytes.ts";

test("bytes that were given back are lent again, and to one borrower at a time", () => {
  const first = acquireBytes(100_000);
  expect(first).toHaveLength(100_000);
  const second = acquireBytes(100_000);
  expect(second.buffer).not.toBe(first.buffer);
  releaseBytes(first);
  releaseBytes(first);
  const third = acquireBytes(90_000);
  expect(third).toHaveLength(90_000);
  expect(third.buffer).toBe(first.buffer);
  expect(acquireBytes(100_000).buffer).not.toBe(first.buffer);
  expect([isPooled(first), isPooled(third), isPooled("text")]).toEqual([false, true, false]);
});

test("few or very many bytes are the borrower's, like those that nobody has lent", () => {
  for (const length of [0, 100, 3_000_000]) {
    const bytes = acquireBytes(length);
    expect(bytes).toHaveLength(length);
    expect(isPooled(bytes)).toBe(false);
    releaseBytes(bytes);
    expect(acquireBytes(length)).not.toBe(bytes);
  }
});

test("no more is kept than a bound", () => {
  const lent = Array.from({ length: 40 }, () => acquireBytes(1_000_000));
  for (const bytes of lent) releaseBytes(bytes);
  const again = new Set(Array.from({ length: 40 }, () => acquireBytes(1_000_000).buffer));
  expect(lent.filter(({ buffer }) => again.has(buffer))).toHaveLength(16);
});

test("every response has its own bytes, however slowly its caller takes it", async () => {
  const server = fastify();
  server.get("/:digit", (request, reply) => {
    const { digit } = request.params as { readonly digit: string };
    const body = acquireBytes(500_000).fill(digit.charCodeAt(0));
    reply.raw.once("finish", () => releaseBytes(body));
    return reply.type("text/plain").send(body);
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const address = server.server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  try {
    const ask = async (round: number): Promise<void> => {
      const digit = String(round % 10);
      const response = await fetch(`http://127.0.0.1:${port}/${digit}`);
      // Responses to others are written while this one waits to be read.
      if (round % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await response.text()).toBe(digit.repeat(500_000));
    };
    for (let round = 0; round < 20; round += 1)
      await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((one) => ask(round + one)));
  } finally {
    await server.close();
  }
});
