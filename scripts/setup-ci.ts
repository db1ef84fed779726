// Installs and builds what the tests need beyond the npm packages, at pinned versions, into .cache/ci; a second run does nothing.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { installRuntime, listCorrectServers } from "../test/correct-servers/correct-servers.ts";
import { hasCommand, installDebian, once, read, run } from "./install.ts";

const cache = resolve(".cache/ci");

interface GoTool {
  readonly name: string;
  readonly module: string;
  readonly version: string;
}

const goTools: readonly GoTool[] = [
  { name: "btcd", module: "github.com/btcsuite/btcd", version: "v0.26.2" },
  { name: "btcctl", module: "github.com/btcsuite/btcd/cmd/btcctl", version: "v0.26.2" },
];

/** geth, and the chain with which its own tests are run. 1.17.9 and later need a module that the Go proxy does not have. */
const geth = {
  module: "github.com/ethereum/go-ethereum",
  version: "v1.17.8",
  chain: "cmd/devp2p/internal/ethtest/testdata",
  files: ["genesis.json", "chain.rlp", "accounts.json", "txinfo.json"],
} as const;

/** Clients of Bitcoin nodes that are not written here, by the registry they come from. */
const clients = {
  python: ["python-bitcoinrpc==1.0", "python-bitcoinlib==0.12.2"],
  npm: ["bitcoin-core@5.0.0"],
} as const;

/** Programs that serve an API whose description is published, and that description: neither is written here. */
const published = ["@loopback/example-todo@6.0.0", "ganache@7.9.2", "@metamask/api-specs@0.15.0"] as const;

/** Built from its module here, whose go.sum pins all that it is made of. */
const rpcclient = resolve("test/foreign-clients/rpcclient");
/** Of Go's standard library alone. */
const postChunks = resolve("test/foreign-clients/go/post_chunks.go");

function installGoTool({ name, module, version }: GoTool): void {
  once(cache, name, version, () =>
    run("go", ["install", `${module}@${version}`], { GOBIN: join(cache, "bin"), GOFLAGS: "-trimpath" }),
  );
}

function installGeth(): void {
  const { module, version, chain, files } = geth;
  installGoTool({ name: "geth", module: `${module}/cmd/geth`, version });
  once(cache, "geth-chain", version, () => {
    const downloaded = read("go", ["mod", "download", "-json", `${module}@${version}`]);
    const { Dir: directory } = JSON.parse(downloaded) as { readonly Dir: string };
    mkdirSync(join(cache, "geth-chain"), { recursive: true });
    for (const file of files)
      writeFileSync(join(cache, "geth-chain", file), readFileSync(join(directory, chain, file)));
  });
}

function installClients(): void {
  const { python, npm } = clients;
  once(cache, "python-clients", python.join("-"), () =>
    run("python3", ["-m", "pip", "install", "--quiet", "--target", join(cache, "python"), ...python], {
      PIP_ROOT_USER_ACTION: "ignore",
    }),
  );
  once(cache, "npm-clients", npm.join("-"), () => {
    mkdirSync(join(cache, "npm"), { recursive: true });
    run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", join(cache, "npm"), ...npm]);
  });
  // Go itself knows what has to be built anew.
  run("go", ["build", "-C", rpcclient, "-trimpath", "-o", join(cache, "bin/ask-with-rpcclient"), "."]);
  run("go", ["build", "-trimpath", "-o", join(cache, "bin/post-chunks"), postChunks]);
}

function installPublished(): void {
  const name = "npm-published";
  once(cache, name, published.join("-").replaceAll("/", "-"), () => {
    mkdirSync(join(cache, name), { recursive: true });
    run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", join(cache, name), ...published]);
  });
}

mkdirSync(join(cache, "bin"), { recursive: true });
for (const tool of goTools) installGoTool(tool);
installGeth();
installClients();
installPublished();
for (const { runtime } of listCorrectServers("ci")) installRuntime(runtime, join(cache, "correct-servers"));
// Debian's: the tests drive whichever version that is.
if (!hasCommand("chromium")) installDebian(["chromium"]);
