import { expect, test } from "vitest";
import { curlCommand } from "./curl-command.ts";

test("a curl line keeps everything but what curl does by itself, and opens the variables of keys alone", () => {
  expect(
    curlCommand({
      method: "POST",
      url: "https://example.com/v2/$URL_KEY?key=$API_KEY&a='b'",
      headers: { "content-type": "application/json", "accept-encoding": "gzip", "x-empty": "" },
      body: '{"a":"$(rm)","b":"it\'s"}',
    }),
  ).toBe(
    `curl -sS -H 'content-type: application/json' -H 'x-empty;' --data-binary '{"a":"$(rm)","b":"it'\\''s"}' 'https://example.com/v2/'"$URL_KEY"'?key='"$API_KEY"'&a='\\''b'\\'''`,
  );
});

test.each([
  ["GET", undefined, "curl -sS 'http://x/'"],
  ["HEAD", undefined, "curl -sS --head 'http://x/'"],
  ["PROPFIND", undefined, "curl -sS -X PROPFIND 'http://x/'"],
  ["GET", "{}", "curl -sS -X GET --data-binary '{}' 'http://x/'"],
  ["POST", undefined, "curl -sS -X POST 'http://x/'"],
])("%s with the body %s", (method, body, line) => {
  expect(curlCommand({ method, url: "http://x/", headers: {}, ...(body === undefined ? {} : { body }) })).toBe(line);
});
