import type { HttpSuite, RpcSuite, SuiteExample, SuiteParameter } from "@nodewright/conformance";

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
      parameters: operation.parameters.map((parameter) => translateParameter(parameter, names)),
      examples: operation.examples.map((one) => {
        const isSame = !("height" in one.input || "startHeight" in one.input);
        return translateExample(one, names, (isUnchanged) => isSame && isUnchanged);
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
      const { method } = operation;
      const isOfMempool = mempoolMethods.has(method);
      const translateOne = (one: SuiteExample): SuiteExample => {
        if (isOfMempool && one.outcome.kind === "success")
          return translateExample({ ...one, isLive: true }, namesWithWaiting, () => false);
        if (one.name === "beginning-behind-the-last-transaction")
          return translateExample({ ...one, input: { ...one.input, skip: farBehind } }, names, () => false);
        // A signature is of a key, whatever its address is called.
        if (method === "verifymessage") return translateExample(one, names, () => true);
        return translateExample(one, names, (isUnchanged) => isUnchanged && answersOfAllChains.has(method));
      };
      return {
        ...operation,
        parameters: operation.parameters.map((parameter) => translateParameter(parameter, names)),
        examples: operation.examples.map(translateOne),
      };
    }),
  };
}

function translateParameter(parameter: SuiteParameter, names: OtherNames): SuiteParameter {
  const { examples } = parameter;
  return examples === undefined ? parameter : { ...parameter, examples: translate(examples, names) as typeof examples };
}

/** `hasSameValue` is told whether the request is the same on the other chain, and says whether the answer is. */
function translateExample(
  one: SuiteExample,
  names: OtherNames,
  hasSameValue: (isUnchanged: boolean) => boolean,
): SuiteExample {
  const { input, params, outcome } = one;
  const other = translate({ input, params }, names) as Pick<SuiteExample, "input" | "params">;
  const isUnchanged = JSON.stringify(other) === JSON.stringify({ input, params });
  const isLive = one.isLive === true || (outcome.kind === "success" && !hasSameValue(isUnchanged));
  return {
    ...one,
    input: other.input,
    ...(other.params === undefined ? {} : { params: other.params }),
    outcome: translateOutcome(outcome, names),
    ...(isLive ? { isLive } : {}),
  };
}

function translateOutcome(outcome: SuiteExample["outcome"], names: OtherNames): SuiteExample["outcome"] {
  if (outcome.kind === "success" || outcome.message === undefined) return outcome;
  return { ...outcome, message: translateText(outcome.message, names) };
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
