import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/workspace.ts";
import { measureNode, type ProcessCost } from "./measure.ts";

/** Other generators at the versions that we are compared with. */
const versions = {
  "openapi-typescript": "7.13.0",
  "@hey-api/openapi-ts": "0.99.0",
  zod: "4.6.7",
  "@graphql-codegen/cli": "7.4.3",
  "@graphql-codegen/typescript": "6.1.0",
  "@graphql-codegen/typescript-resolvers": "6.1.0",
  "@open-rpc/generator": "1.22.3",
  graphql: "16.15.0",
  typescript: "5.9.3",
};

/** Without it, npm gives @graphql-codegen/cli a version of this package that does not exist in full. */
const overrides = { "@graphql-tools/batch-execute": "10.0.0" };

/** What the output of @open-rpc/generator imports, at the versions that it asks for: not beside the generator, which then refuses documents. */
const openRpcImports = {
  "@open-rpc/client-js": "1.7.1",
  "@open-rpc/meta-schema": "1.14.2",
  "@open-rpc/schema-utils-js": "1.15.0",
  "@open-rpc/server-js": "1.9.3",
  "@types/json-schema": "7.0.3",
  "@types/lodash": "4.14.149",
  "@types/node": "24.19.2",
  "@types/ws": "6.0.1",
  lodash: "4.17.21",
};

/** Where the peers are installed, with what they are configured by. */
const peersDirectory = join(root, ".cache/benchmarks/peers");
const openRpcDirectory = join(root, ".cache/benchmarks/open-rpc-output");

/** Installs the peers with npm, once for each set of versions. */
export function installPeers(): void {
  installPackages(peersDirectory, { name: "peers", private: true, dependencies: versions, overrides });
  installPackages(openRpcDirectory, { name: "open-rpc-output", private: true, dependencies: openRpcImports });
}

function installPackages(
  directory: string,
  manifest: { readonly dependencies: object; readonly [name: string]: unknown },
): void {
  const path = join(directory, "package.json");
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const isInstalled = existsSync(join(directory, "node_modules/.package-lock.json"));
  if (isInstalled && readFileSync(path, "utf8") === text) return;
  console.log(`Installing ${Object.keys(manifest.dependencies).length} packages into ${directory}`);
  mkdirSync(directory, { recursive: true });
  writeFileSync(path, text);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent"], { cwd: directory, stdio: "inherit" });
}

/** The empty directory that a peer writes into, where the packages are that its output imports. */
export function emptyPeerOutput({ directory = peersDirectory }: PeerRun): string {
  const output = join(directory, "output");
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output);
  return output;
}

/** A peer's run: the parameters for Node that generate `document` into `output`, a directory. */
export interface PeerRun {
  /** With what it generates: `hey-api types, sdk, zod`. */
  readonly name: string;
  /** Where the packages are that its output imports; that of the peers where absent. */
  readonly directory?: string;
  /** Packages whose global declarations its output builds upon. */
  readonly ambientTypes?: readonly string[];
  parameters(document: string, output: string): readonly string[];
}

/** Generates with a peer, in its own directory: graphql-codegen looks for its plugins in the one that it was started in. */
export function runPeer({ parameters }: PeerRun, document: string, output: string): ProcessCost {
  return measureNode(parameters(document, output), peersDirectory);
}

export const openapiTypescript: PeerRun = {
  name: `openapi-typescript ${versions["openapi-typescript"]}`,
  parameters: (document, output) => [
    join(peersDirectory, "node_modules/openapi-typescript/bin/cli.js"),
    document,
    "-o",
    join(output, "types.ts"),
  ],
};

export const heyApi: PeerRun = {
  name: `hey-api ${versions["@hey-api/openapi-ts"]} types, sdk, zod`,
  parameters: (document, output) => {
    const config = {
      input: document,
      output,
      plugins: ["@hey-api/typescript", "@hey-api/sdk", "zod"],
      logs: { file: false, level: "silent" },
    };
    const path = writeConfig("openapi-ts.config.mjs", `export default ${JSON.stringify(config)};\n`);
    return [join(peersDirectory, "node_modules/@hey-api/openapi-ts/bin/run.js"), "-f", path];
  },
};

export const graphqlCodegen: PeerRun = {
  name: `graphql-codegen ${versions["@graphql-codegen/cli"]} types, resolvers`,
  parameters: (document, output) => {
    const file = { plugins: ["typescript", "typescript-resolvers"] };
    const config = { schema: document, silent: true, generates: { [join(output, "index.ts")]: file } };
    const path = writeConfig("codegen.cjs", `module.exports = ${JSON.stringify(config)};\n`);
    return [join(peersDirectory, "node_modules/@graphql-codegen/cli/esm/bin.js"), "--config", path];
  },
};

export const openRpcGenerator: PeerRun = {
  name: `@open-rpc/generator ${versions["@open-rpc/generator"]} client, server`,
  directory: openRpcDirectory,
  ambientTypes: ["node"],
  parameters: (document, output) => {
    const components = ["client", "server"].map((type) => ({ type, name: type, language: "typescript" }));
    const path = writeConfig(
      "open-rpc.json",
      JSON.stringify({ openrpcDocument: document, outDir: output, components }),
    );
    return [join(peersDirectory, "node_modules/@open-rpc/generator/build/cli.js"), "generate", "-c", path];
  },
};

function writeConfig(name: string, text: string): string {
  const path = join(peersDirectory, name);
  writeFileSync(path, text);
  return path;
}
