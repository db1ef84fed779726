import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { ServiceError } from "../errors/service-error.ts";
import { readBytes } from "./read-bytes.ts";

it.each(["abc", "abcdef"])("reads %s up to a limit of as many bytes, and no byte more", async (body) => {
  const chunks = () => Readable.from([Buffer.from(body.slice(0, 2)), Buffer.from(body.slice(2))]);

  expect(String(await readBytes(chunks(), body.length))).toBe(body);
  await expect(readBytes(chunks(), body.length - 1)).rejects.toMatchObject({ code: "too_large" });
});

it("rejects with the error that ended the stream where that says why, else with one that the body broke off", async () => {
  const failing = (error: Error) =>
    new Readable({
      read() {
        this.destroy(error);
      },
    });
  const refusal = new ServiceError("too_large", "The request body is larger than 10 bytes");

  await expect(readBytes(failing(refusal), 100)).rejects.toBe(refusal);
  await expect(readBytes(failing(new Error("ECONNRESET")), 100)).rejects.toMatchObject({ code: "invalid_request" });
});
