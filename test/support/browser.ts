import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { root } from "./workspace.ts";

/** Starts the Chromium at `path`. It finds no host but this machine, and says nothing to anybody of itself. */
export async function startChromium(path: string): Promise<Browser> {
  return await chromium.launch({
    executablePath: path,
    args: ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost", "--disable-quic"],
  });
}

/** What a page has asked for and complained of. */
export interface PageRecord {
  /** Addresses in full, with what was said before them: `POST http://…`. */
  readonly requests: readonly string[];
  /** Errors and warnings of the console, and exceptions. */
  readonly complaints: readonly string[];
}

/** Notes all that a page does, from now on. */
export function recordPage(page: Page): PageRecord {
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => void requests.push(`${request.method()} ${request.url()}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => void complaints.push(String(error)));
  return { requests, complaints };
}

/** Keeps what a page looks like, for people: `.cache/browser/<name>.png`. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const directory = join(root, ".cache/browser");
  mkdirSync(directory, { recursive: true });
  await page.screenshot({ path: join(directory, `${name}.png`) });
}
