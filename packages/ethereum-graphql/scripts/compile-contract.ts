/**
 * Compiles the demo contract and writes the result next to its source: `node packages/ethereum-graphql/scripts/compile-contract.ts`.
 *
 * The metadata hash is left out of the bytecode (`bytecodeHash: none`), so that it depends only on the source's meaning and the compiler,
 * not on paths and comments.
 */
import { readFileSync, writeFileSync } from "node:fs";
import solc from "solc";

const directory = new URL("../src/demo/contract/", import.meta.url);

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: {
    readonly "points-ledger.sol": {
      readonly PointsLedger: {
        readonly evm: {
          readonly bytecode: { readonly object: string };
          readonly methodIdentifiers: Readonly<Record<string, string>>;
        };
      };
    };
  };
}

/** Returns the source text of the module `points-ledger.ts`. */
export function compileDemoContract(): string {
  const input = {
    language: "Solidity",
    sources: { "points-ledger.sol": { content: readFileSync(new URL("points-ledger.sol", directory), "utf8") } },
    settings: {
      evmVersion: "shanghai",
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: "none", appendCBOR: false },
      outputSelection: { "*": { "*": ["evm.bytecode.object", "evm.methodIdentifiers"] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as CompilerOutput;
  if (output.errors !== undefined && output.errors.length > 0) {
    throw new Error(output.errors.map((error) => error.formattedMessage).join("\n"));
  }
  const { evm } = output.contracts["points-ledger.sol"].PointsLedger;
  return render(solc.version() as string, evm.bytecode.object, evm.methodIdentifiers);
}

function render(compiler: string, bytecode: string, methods: Readonly<Record<string, string>>): string {
  const selectors = Object.entries(methods).map(([signature, selector]) => `  "${signature}": "0x${selector}",\n`);
  return `// Made from points-ledger.sol by scripts/compile-contract.ts with solc ${compiler},
// optimizer on with 200 runs, for the EVM version shanghai, without metadata.

/** Code that creates the demo contract. */
// biome-ignore format: one long literal
export const pointsLedgerCreationCode = "0x${bytecode}";

/** First four bytes of the call data of each function, by signature. */
export const pointsLedgerSelectors = {
${selectors.join("")}} as const;
`;
}

if (import.meta.main) writeFileSync(new URL("points-ledger.ts", directory), compileDemoContract());
