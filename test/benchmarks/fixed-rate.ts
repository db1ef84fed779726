// autocannon at a fixed rate: how long answers take while the service has time to spare.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { text } from "node:stream/consumers";

export interface Latency {
  /** Milliseconds, corrected for requests that had to wait for their turn. */
  readonly p50: number;
  readonly p99: number;
  readonly requests: number;
}

/**
 * Asks for `url` `rate` times a second over 32 connections: by GET, or by POST where there is JSON to send. Throws when anything but 2xx
 * is answered.
 */
export async function measureLatency(url: string, rate: number, seconds: number, json?: string): Promise<Latency> {
  const program = fileURLToPath(import.meta.resolve("autocannon"));
  const parameters = [
    "-c",
    "32",
    "-R",
    String(Math.round(rate)),
    "-d",
    String(seconds),
    "--json",
    "--no-progress",
    ...(json === undefined ? [] : ["-m", "POST", "-H", "content-type=application/json", "-b", json]),
    url,
  ];
  const child = spawn(process.execPath, [program, ...parameters], { stdio: ["ignore", "pipe", "ignore"] });
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  const { latency, non2xx, errors, requests } = JSON.parse(output) as {
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly requests: { readonly total: number };
    readonly non2xx: number;
    readonly errors: number;
  };
  if (non2xx + errors > 0) throw new Error(`${non2xx} answers were no 2xx, ${errors} were none`);
  return { p50: latency.p50, p99: latency.p99, requests: requests.total };
}
