import { expect, test } from "vitest";
import { createFetchTransport } from "./transport.ts";

const request = { method: "POST", url: "http://in.process/x", headers: { a: "b" }, body: "{}" };
const limits = { timeoutMilliseconds: 20_000, maxBytes: 10, isRepeatable: true };

test("a fetch in the same process carries requests", async () => {
  const transport = createFetchTransport(async (url, init) => {
    const sent = new Request(url, init);
    const body = `${sent.method} ${await sent.text()}`;
    return new Response(body, { status: 201, headers: { "X-Redirect": String(init?.redirect) } });
  });
  const response = await transport.exchange(request, limits);
  expect(response).toMatchObject({ status: 201, isCut: false, isSequence: false });
  expect("headers" in response && response.headers.get("x-redirect")).toBe("manual");
  expect("bytes" in response && Buffer.from(response.bytes).toString()).toBe("POST {}");
});

test("its answers are cut, waited for no longer than told, and its faults are trouble", async () => {
  const long = createFetchTransport(async () => new Response("x".repeat(50)));
  expect(await long.exchange(request, limits)).toMatchObject({ isCut: true, bytes: Buffer.from("x".repeat(10)) });
  const slow = createFetchTransport(
    async (_url, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason))),
  );
  expect(await slow.exchange(request, { ...limits, timeoutMilliseconds: 200 })).toEqual({
    kind: "timeout",
    text: "no complete response in 0.2 s",
  });
  const broken = createFetchTransport(async () => {
    throw new TypeError("fetch failed", { cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) });
  });
  expect(await broken.exchange(request, limits)).toMatchObject({ kind: "refused" });
});

test("of a sequence without an end it hears what comes in a while", async () => {
  const endless = createFetchTransport(
    async () =>
      new Response(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("data: 1\n\n")) }), {
        headers: { "content-type": "text/event-stream" },
      }),
  );
  expect(await endless.exchange(request, { ...limits, timeoutMilliseconds: 5_000 })).toMatchObject({
    isCut: true,
    isSequence: true,
  });
});
