import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { buildSchema } from "graphql";
import { afterAll, expect, it } from "vitest";
import { type Explosion, explosions } from "../../test-support/graphql-explosions.ts";
import { defaultLimits } from "../node/plugin-options.ts";
import { isServiceError } from "../errors/service-error.ts";
import { GraphqlDocumentError, GraphqlEngine } from "./graphql-engine.ts";
import { defaultGraphqlLimits } from "./graphql-options.ts";
import { readPostRequest } from "./graphql-request.ts";

/** Twice the duration of the most expensive one where both threads of a core are busy; executing one takes seconds. */
const maximumMilliseconds = 100;
const maximumMegabytes = 20;
const rounds = 5;

const schema = buildSchema(readFileSync(new URL("../../../../specs/ethereum/schema.graphql", import.meta.url), "utf8"));
const rows: string[] = [];

/** Creates an engine without cached documents. */
const createEngine = (): GraphqlEngine => new GraphqlEngine(schema, defaultGraphqlLimits, 50_000);

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Runs everything before a field is resolved; the root value has no fields, so that nothing else runs. */
async function refusalOf({ query, variables = "{}" }: Explosion, engine: GraphqlEngine): Promise<unknown> {
  try {
    const body = Buffer.from(`{"query":${JSON.stringify(query)},"variables":${variables}}`);
    const headers = { "content-type": "application/json" };
    const request = readPostRequest({ headers, body } as never, defaultLimits.maximumDepth);
    const { errors } = await engine.prepare(request).run({}, request.variables);
    return errors?.[0];
  } catch (reason) {
    return reason;
  }
}

function limitOf(refusal: unknown): unknown {
  return isServiceError(refusal) ? refusal.details?.["limit"] : undefined;
}

function messageOf(refusal: unknown): string {
  if (refusal instanceof GraphqlDocumentError) return refusal.errors[0]?.message ?? "";
  return refusal instanceof Error ? refusal.message : "answered";
}

afterAll(() => console.info(["refused before anything is executed: ms, MB, by what", ...rows].join("\n")));

// The compilation of graphql-js and our code on first use does not count towards the explosion.
for (const explosion of explosions) await refusalOf(explosion, createEngine());

it.each(explosions)("$name: refused at once and in little memory", async (explosion) => {
  const { name, limit } = explosion;
  let [milliseconds, megabytes] = [0, Number.POSITIVE_INFINITY];
  let refusal: unknown;
  for (let round = 0; round < rounds; round += 1) {
    const engine = createEngine();
    collectGarbage();
    const heap = process.memoryUsage().heapUsed;
    // Time of this thread: other processes may have the processor meanwhile.
    const start = process.threadCpuUsage();
    refusal = await refusalOf(explosion, engine);
    const { user, system } = process.threadCpuUsage(start);
    milliseconds += (user + system) / 1_000 / rounds;
    megabytes = Math.min(megabytes, (process.memoryUsage().heapUsed - heap) / 1_048_576);
  }
  rows.push(
    `${milliseconds.toFixed(1).padStart(6)} ${megabytes.toFixed(1).padStart(6)}  ${name}: ${messageOf(refusal).slice(0, 90)}`,
  );
  expect(limitOf(refusal)).toBe(limit);
  expect(milliseconds).toBeLessThan(maximumMilliseconds);
  expect(megabytes).toBeLessThan(maximumMegabytes);
});
