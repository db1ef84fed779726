import type { ConformanceCase, HttpSuite, RpcSuite } from "@nodewright/conformance";

/**
 * Names on another chain, in place of those of mainnet's first blocks that the document's examples have: of each hash, txid, address,
 * script hash and raw transaction, in lower case where it is hex, and of heights.
 */
export type OtherNames = ReadonlyMap<string, string>;

/**
 * The suite with every example asked of another chain: what is there is held against the type that the document gives it, what is not
 * there, and what is wrong, against the same texts. Throws when an example names something of mainnet that has no other name.
 */
export function suiteOfOtherChain(suite: HttpSuite, names: OtherNames): HttpSuite {
  return {
    ...suite,
    operations: suite.operations.map((operation) => ({
      ...operation,
      cases: operation.cases.map((one) => {
        const isSame = !("height" in one.input || "startHeight" in one.input);
        return translateCase(one, names, (isUnchanged) => isSame && isUnchanged);
      }),
    })),
  };
}

/** What of JSON-RPC is answered alike on every chain, when nothing in the request has another name there. */
const answersOfAllChains: ReadonlySet<string> = new Set([
  "decoderawtransaction",
  "getdescriptorinfo",
  "getgenerate",
  "gethashespersec",
  "help",
  "verifychain",
]);

/** Transactions of one address that are more than it has. */
const farBehind = 100_000;

/** Methods about transactions that wait: they are asked for others than the rest. */
const mempoolMethods: ReadonlySet<string> = new Set([
  "getmempoolentry",
  "getmempoolancestors",
  "getmempooldescendants",
]);

/**
 * As `suiteOfOtherChain`, of JSON-RPC. `waiting` are other names for the examples that are about the mempool: they are there, so that no
 * refusal counts.
 */
export function rpcSuiteOfOtherChain(suite: RpcSuite, names: OtherNames, waiting: OtherNames): RpcSuite {
  const namesWithWaiting = new Map([...names, ...waiting]);
  return {
    ...suite,
    operations: suite.operations.map((operation) => {
      const { method } = operation.operation;
      const isOfMempool = mempoolMethods.has(method);
      const translateOne = (one: ConformanceCase): ConformanceCase => {
        if (isOfMempool && one.group !== "failure") {
          const isExample = one.group === "example";
          const expect: ConformanceCase["expect"] = isExample ? { kind: "type", status: 200 } : one.expect;
          return translateCase({ ...one, expect }, namesWithWaiting, () => false);
        }
        if (one.name === "beginning-behind-the-last-transaction") {
          return translateCase({ ...one, input: { ...one.input, skip: farBehind } }, names, () => false);
        }
        // A signature is of a key, whatever its address is called.
        if (method === "verifymessage") return translateCase(one, names, () => true);
        return translateCase(one, names, (isUnchanged) => isUnchanged && answersOfAllChains.has(method));
      };
      return { ...operation, cases: operation.cases.map(translateOne) };
    }),
  };
}

/** `hasSameValue` is told whether the request is the same on the other chain, and says whether the answer is. */
function translateCase(
  one: ConformanceCase,
  names: OtherNames,
  hasSameValue: (isUnchanged: boolean) => boolean,
): ConformanceCase {
  const { input, params } = one;
  const other = translate({ input, params }, names) as Pick<ConformanceCase, "input" | "params">;
  const isUnchanged = JSON.stringify(other) === JSON.stringify({ input, params });
  return {
    ...one,
    input: other.input,
    ...(other.params === undefined ? {} : { params: other.params }),
    expect: translateExpectation(one.expect, names, hasSameValue(isUnchanged)),
  };
}

function translateExpectation(
  expect: ConformanceCase["expect"],
  names: OtherNames,
  isSame: boolean,
): ConformanceCase["expect"] {
  if (expect.kind === "value") return isSame ? expect : { kind: "type", status: expect.status };
  if (expect.kind !== "failure" || expect.message === undefined) return expect;
  return { ...expect, message: translateText(expect.message, names) };
}

function translate(value: unknown, names: OtherNames): unknown {
  if (typeof value === "string") return translateText(value, names);
  if (typeof value === "number") return Number(names.get(String(value)) ?? value);
  if (Array.isArray(value)) return value.map((item) => translate(item, names));
  if (typeof value !== "object" || value === null) return value;
  // Outputs of a transaction to be made are addresses with amounts.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [translateText(name, names), translate(member, names)]),
  );
}

/** Names stand alone, in lists, before an output's number, and cut short or changed where the example is of a mistake. */
function translateText(text: string, names: OtherNames): string {
  return text.replaceAll(/[0-9A-Za-z]+/g, (word) => {
    const name = names.get(word) ?? names.get(word.toLowerCase());
    if (name !== undefined) return /[a-z]/.test(word) || /^[0-9]+$/.test(word) ? name : name.toUpperCase();
    if (/^(?!(?:0|8)0{62}[01]$)[0-9a-fA-F]{64}$/.test(word)) throw new Error(`${word} has no name on the other chain`);
    return word;
  });
}
