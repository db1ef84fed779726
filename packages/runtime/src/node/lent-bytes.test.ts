import fastify from "fastify";
import { expect, test } from "vitest";
import { giveBack, isLent, lendBytes } from "./lent-bytes.ts";

test("bytes that were given back are lent again, and to one borrower at a time", () => {
  const first = lendBytes(100_000);
  expect(first).toHaveLength(100_000);
  const second = lendBytes(100_000);
  expect(second.buffer).not.toBe(first.buffer);
  giveBack(first);
  giveBack(first);
  const third = lendBytes(90_000);
  expect(third).toHaveLength(90_000);
  expect(third.buffer).toBe(first.buffer);
  expect(lendBytes(100_000).buffer).not.toBe(first.buffer);
  expect([isLent(first), isLent(third), isLent("text")]).toEqual([false, true, false]);
});

test("few or very many bytes are the borrower's, like those that nobody has lent", () => {
  for (const length of [0, 100, 3_000_000]) {
    const bytes = lendBytes(length);
    expect(bytes).toHaveLength(length);
    expect(isLent(bytes)).toBe(false);
    giveBack(bytes);
    expect(lendBytes(length)).not.toBe(bytes);
  }
});

test("no more is kept than a bound", () => {
  const lent = Array.from({ length: 40 }, () => lendBytes(1_000_000));
  for (const bytes of lent) giveBack(bytes);
  const again = new Set(Array.from({ length: 40 }, () => lendBytes(1_000_000).buffer));
  expect(lent.filter(({ buffer }) => again.has(buffer))).toHaveLength(16);
});

test("every answer has its own bytes, however slowly its caller takes it", async () => {
  const server = fastify();
  server.get("/:digit", (request, reply) => {
    const { digit } = request.params as { readonly digit: string };
    const body = lendBytes(500_000).fill(digit.charCodeAt(0));
    reply.raw.once("finish", () => giveBack(body));
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
