import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readPage } from "./page.ts";

describe("the page", () => {
  let directory: string;

  beforeEach(() => {
    directory = `${mkdtempSync(join(tmpdir(), "nodewright-page-"))}/`;
    const files = {
      "page.json": '{"entry":"page-1.js","style":"page-2.css"}',
      "page-1.js": "run()",
      "page-2.css": "a{}",
    };
    for (const [name, text] of Object.entries({ ...files, "licences.txt": "MIT" }))
      writeFileSync(directory + name, text);
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  it("names its files relative to itself", () => {
    const { content, type } = readPage(directory).document({});
    expect(type).toBe("text/html; charset=utf-8");
    expect(content.toString()).toContain('<script type="module" src="docs/assets/page-1.js"></script>');
    expect(content.toString()).toContain('<link rel="stylesheet" href="docs/assets/page-2.css" />');
  });

  it("has each file with its type, and a tag of what it holds", () => {
    const page = readPage(directory);
    expect(page.findFile("page-1.js")).toMatchObject({ type: "text/javascript; charset=utf-8", isImmutable: true });
    expect(page.findFile("page-2.css")?.content.toString()).toBe("a{}");
    expect(page.findFile("licences.txt")).toMatchObject({ isImmutable: false });
    writeFileSync(`${directory}page-1.js`, "other()");
    const changed = readPage(directory).findFile("page-1.js");
    expect(changed?.etag).toMatch(/^"[\w-]{22}"$/);
    expect(changed?.etag).not.toBe(page.findFile("page-1.js")?.etag);
  });

  it.each(["page.json", "page-3.js", "../page.test.ts", "..%2fpage.json", "", "constructor"])(
    "has no file %j",
    (name) => {
      expect(readPage(directory).findFile(name)).toBeUndefined();
    },
  );

  it("lets nothing that it is told become a part of the document", () => {
    const keyFile = `/a"><script>alert('&quot;')</script>`;
    const text = readPage(directory).document({ keyFile }).content.toString();
    expect(text.match(/<script/g)).toHaveLength(1);
    const attribute = /data-configuration="([^"]*)"/.exec(text)?.[1] ?? "";
    const reported = attribute.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
    expect(JSON.parse(reported)).toEqual({ keyFile });
  });

  it("says how it is built when it is not", () => {
    expect(() => readPage("/nowhere/")).toThrow("npm run bundle");
  });
});
