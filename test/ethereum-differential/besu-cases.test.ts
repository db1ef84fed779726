import { readFileSync } from "node:fs";
import { GraphQLNonNull, buildSchema } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedInterface, serveDemoChain } from "../../packages/ethereum-graphql/test-support/serve.ts";

/** A case of Besu's own tests of its GraphQL that is answered otherwise here. */
interface BesuDifference {
  readonly case: string;
  readonly query: string;
  /** HTTP status that Besu's test expects, and ours. */
  readonly besu: number;
  readonly ours: number;
  /** Part of the message where the query is refused here. */
  readonly refused?: string;
  readonly reason: string;
  readonly source: string;
}

const differences = JSON.parse(
  readFileSync(new URL("besu-differences.json", import.meta.url), "utf8"),
) as readonly BesuDifference[];

let served: ServedInterface;

beforeAll(async () => {
  served = await serveDemoChain();
});

afterAll(async () => {
  await served?.stop();
});

describe("a case of Besu's tests", () => {
  it.each(differences)("$case differs as it is listed: $ours for $besu", async ({ query, besu, ours, refused }) => {
    const { status, errors } = await served.ask(query);
    expect(ours).not.toBe(besu);
    expect(status).toBe(ours);
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(refused === undefined ? [] : ["BAD_USER_INPUT"]);
    expect(errors[0]?.message ?? "").toContain(refused ?? "");
  });

  it("that requests a slot of 32 bytes is answered as there", async () => {
    const slot = `0x${"0".repeat(63)}4`;
    const query = `{ pending { account(address: "0x6295ee1b4f6dd65047762f924ecd367c17eabf8f") { storage(slot: "${slot}") } } }`;
    expect(await served.ask(query)).toMatchObject({ status: 200, errors: [] });
  });

  // eth_getBlock_cancun has null for v, where execution-apis' schema has `v: BigInt!`: a typed transaction's v is its yParity.
  it("that reads v of typed transactions gets their yParity", async () => {
    const schema = buildSchema(readFileSync(new URL("../../specs/ethereum/schema.graphql", import.meta.url), "utf8"));
    const type = schema.getType("Transaction");
    expect(type !== undefined && "getFields" in type && type.getFields()["v"]?.type).toBeInstanceOf(GraphQLNonNull);
    const { data } = await served.ask("{ blocks(from: 0, to: 8) { transactions { type yParity v } } }");
    const { blocks } = data as { blocks: { transactions: { type: string; yParity: string | null; v: string }[] }[] };
    const typed = blocks.flatMap(({ transactions }) => transactions).filter(({ yParity }) => yParity !== null);
    expect(typed.length).toBeGreaterThan(5);
    expect(typed.map(({ v }) => v)).toEqual(typed.map(({ yParity }) => yParity));
  });
});
