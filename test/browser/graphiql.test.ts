import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { keepScreenshot, type PageRecord, recordPage, startChromium } from "../support/browser.ts";
import { askGraphql } from "../support/calls.ts";
import { requireProgram } from "../support/requirement.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";

const { path: chromium } = requireProgram("chromium");
const { path: anvil } = requireProgram("anvil");

const nested = `query Nested {
  block {
    number
    transactions { hash from { address balance } to { address } logs { index account { address } topics } }
  }
}`;

interface NestedAnswer {
  readonly block: {
    readonly number: string;
    readonly transactions: readonly { readonly hash: string; readonly logs: readonly { readonly topics: object }[] }[];
  };
}

describe.skipIf(chromium === undefined || anvil === undefined)("GraphiQL in Chromium", { timeout: 60_000 }, () => {
  let service: StartedService;
  let node: ReadyNode;
  let browser: Browser;
  let page: Page;
  let record: PageRecord;

  beforeAll(async () => {
    const parameters = ["--operator-port", "0", "--public-docs"];
    [service, browser] = await Promise.all([startService({ parameters }), startChromium(chromium ?? "")]);
    node = nodeOf(service, "ethereum");
  });

  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  beforeEach(async () => {
    // With a storage of its own, as a browser that has never been here.
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    record = recordPage(page);
  });

  afterEach(async () => {
    for (const request of record.requests) {
      expect(request).toMatch(/^(?:GET|POST) (?:http:\/\/127\.0\.0\.1:\d+\/|data:,)/);
      expect(request).not.toContain(node.apikey);
    }
    await page.close();
  });

  const operatorPage = () => `${service.operator}/docs`;
  const publicPage = () => `${new URL(node.endpoint).origin}/docs`;

  async function open(address: string = operatorPage()): Promise<void> {
    await page.goto(address);
    await page.locator(".graphiql-query-editor .CodeMirror").waitFor();
  }

  async function typeKey(key: string): Promise<void> {
    await page.getByLabel("API key").fill(key);
    await page.getByLabel("API key").press("Enter");
  }

  /** Puts a text in place of what the editor holds. */
  async function write(query: string): Promise<void> {
    await page.locator(".graphiql-query-editor .CodeMirror").click();
    await page.keyboard.press("Control+A");
    // Typed, brackets would be closed by the editor as well.
    await page.keyboard.insertText(query);
  }

  /** Asks by the keyboard, from inside the editor: what stands there, or a named query. */
  async function askByKeyboard(query?: string): Promise<void> {
    if (query === undefined) await page.locator(".graphiql-query-editor .CodeMirror").click();
    else {
      await write(query);
      // The editor needs a moment to know the operation; the tab shows its name then.
      const name = /^query (\w+)/.exec(query)?.[1] ?? "";
      await page.locator(".graphiql-tab-button", { hasText: name }).waitFor();
    }
    await page.keyboard.press("Control+Enter");
  }

  const answer = () => page.locator(".graphiql-response .CodeMirror");
  const status = () => page.getByRole("status");

  /** All that the answer's pane holds; it draws only what is in view. */
  async function answered(): Promise<string> {
    return await answer().evaluate((pane) => (pane as unknown as Editor).CodeMirror.getValue());
  }

  async function answeredWith(text: string): Promise<string> {
    await expect.poll(answered).toContain(text);
    return await answered();
  }

  it("runs a nested query on the chain behind it, by Ctrl-Enter, and complains of nothing", async () => {
    await open();
    expect(await status().textContent()).toMatch(/^The key lies in \/.*demo-key\.$/);
    await typeKey(node.apikey);
    await askByKeyboard();
    const first = JSON.parse(await answeredWith('"topics"')) as { readonly data: NestedAnswer };
    expect(first.data.block.transactions[0]?.logs.length).toBeGreaterThan(0);
    await keepScreenshot(page, "graphiql");

    await askByKeyboard(nested);
    const expected = await askGraphql(node, nested);
    await expect.poll(async () => JSON.parse(await answered())).toEqual({ data: expected.data });
    expect(record.complaints).toEqual([]);
    expect(page.url()).not.toContain(node.apikey);
    expect(await page.evaluate("JSON.stringify(localStorage) + document.cookie")).not.toContain(node.apikey);
  });

  it("keeps the key for the tab, so that it outlives a reload", async () => {
    await open();
    await typeKey(node.apikey);
    await page.reload();
    await askByKeyboard("query Height { block { number } }");
    await answeredWith('"number"');
    const another = await browser.newPage();
    await another.goto(operatorPage());
    expect(await another.getByLabel("API key").inputValue()).toBe("");
    await another.close();
  });

  it("explains the types, as the endpoint describes them", async () => {
    await open();
    await typeKey(node.apikey);
    await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
    const explorer = page.locator(".graphiql-doc-explorer");
    await explorer.getByText("Reads an Ethereum node").waitFor();
    await explorer.getByRole("link", { name: "Block", exact: true }).click();
    for (const text of ["transactions", "baseFeePerGas", "withdrawalsRoot"])
      await explorer.getByText(text, { exact: true }).first().waitFor();
    await keepScreenshot(page, "graphiql-docs");
    expect(record.complaints).toEqual([]);
  });

  it("proposes what may stand at the cursor, and marks what may not", async () => {
    await open();
    await typeKey(node.apikey);
    await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
    await page.locator(".graphiql-doc-explorer").getByRole("link", { name: "Block", exact: true }).waitFor();
    await write("{ gasPrices }");
    await page.locator(".CodeMirror-lint-mark-error").first().waitFor();
    await write("{ bl");
    await page.keyboard.press("Control+Space");
    await expect.poll(() => page.locator(".CodeMirror-hint").allTextContents()).toEqual(["block", "blocks"]);
    await page.keyboard.press("Escape");
    expect(record.complaints).toEqual([]);
  });

  it("says that a key is refused, and why nothing is asked without one", async () => {
    await open();
    await askByKeyboard();
    await answeredWith("Type the API key of ethereum-dev first");
    expect(record.requests.filter((request) => request.startsWith("POST"))).toEqual([]);
    expect(record.complaints).toEqual([]);

    await typeKey(`${node.apikey.slice(0, -1)}-`);
    await expect.poll(() => status().textContent()).toBe("401: The API key is missing or not valid for this node");
    await askByKeyboard();
    await answeredWith("UNAUTHENTICATED");
    await keepScreenshot(page, "graphiql-refused");

    await typeKey(node.apikey);
    await expect.poll(() => status().textContent()).toBe(`${node.endpoint}/graphql`);
  });

  it("opens its dialogs under the page's policy, in the dark, and on a narrow screen", async () => {
    await page.emulateMedia({ colorScheme: "dark" });
    await open();
    await typeKey(node.apikey);
    await askByKeyboard("query Price { gasPrice }");
    await answeredWith('"gasPrice"');
    await page.getByRole("button", { name: "Open short keys dialog" }).click();
    await page.getByRole("dialog").getByText("Execute query").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Open settings dialog" }).click();
    await keepScreenshot(page, "graphiql-dark");
    await page.getByRole("dialog").getByRole("button", { name: "Light" }).click();
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 420, height: 800 });
    await keepScreenshot(page, "graphiql-narrow");
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(record.complaints).toEqual([]);
  });

  it("stands on the public listener too when that was wanted, and tells nobody which nodes there are", async () => {
    await open(publicPage());
    expect(await page.content()).not.toContain(node.id);
    await page.getByLabel("Node").fill(node.id);
    await typeKey(node.apikey);
    expect(page.url()).toBe(`${publicPage()}#${node.id}`);
    await askByKeyboard("query Height { block { number } }");
    await answeredWith('"number"');
    await page.reload();
    expect(await page.getByLabel("Node").inputValue()).toBe(node.id);
    expect(record.complaints).toEqual([]);
  });
});

/** An element of CodeMirror 5. */
interface Editor {
  readonly CodeMirror: { getValue(): string };
}
