import { httpMethods } from "@nodewright/api-model";
import type { ApiModel } from "@nodewright/model";
import type { DocumentSet, SourceValue } from "@nodewright/source";
import type { ConfigProblem } from "../configuration/config-problems.ts";
import { suggestion } from "@nodewright/terminal-text";
import type { DocumentJob } from "./document-job.ts";

/** Reports options of the configuration about operations and schemas that the document does not contain. */
export function checkOptions(
  { config, index }: DocumentJob,
  model: ApiModel,
  documents: DocumentSet,
): readonly ConfigProblem[] {
  const isGraphql = model.protocol === "graphql";
  const root = isGraphql ? undefined : documents.read(config.source)?.root;
  const texts = [...documents.files.values()].map(({ text }) => text);
  const isSpelled = (name: string): boolean => texts.some((text) => text.includes(name));
  const problems: ConfigProblem[] = [];
  const operations = Object.keys(config.operations ?? {});
  if (operations.length > 0) {
    const known = new Set([
      ...model.operations.map(({ name }) => name),
      ...(root ? operationNames(root, documents) : []),
    ]);
    for (const operation of operations) {
      if (known.has(operation) || (isGraphql && isSpelled(operation.split(".").at(-1) ?? ""))) continue;
      const facts = { document: config.source, operation, suggestion: suggestion(operation, known) };
      problems.push({
        code: "unknown-operation",
        path: ["documents", index, "operations", operation],
        isAboutKey: true,
        facts,
      });
    }
  }
  const schemas = Object.keys(config.declarations ?? {}).filter((name) => !isSpelled(name));
  if (schemas.length > 0) {
    const known = new Set([...model.declarations.map(({ name }) => name), ...(root ? schemaNames(root) : [])]);
    for (const name of schemas) {
      const facts = { document: config.source, name, suggestion: suggestion(name, known) };
      problems.push({
        code: "unknown-declaration",
        path: ["documents", index, "declarations", name],
        isAboutKey: true,
        facts,
      });
    }
  }
  return problems;
}

const operationMembers: ReadonlySet<string> = new Set(httpMethods.map((method) => method.toLowerCase()));

/** Returns every spelling under which a configuration can name an operation. */
function operationNames(root: SourceValue, documents: DocumentSet): readonly string[] {
  const rpc = (root.member("methods")?.items ?? []).flatMap((method) => method.member("name")?.string ?? []);
  const http = ["paths", "webhooks"].flatMap((place) =>
    (root.member(place)?.members ?? []).flatMap(([path, item]) => {
      const resolved = item.has("$ref") ? documents.resolve(item) : item;
      return (resolved?.members ?? [])
        .filter(([method]) => operationMembers.has(method))
        .flatMap(([method, operation]) => {
          const id = operation.member("operationId")?.string;
          return [`${method.toUpperCase()} ${path}`, ...(id === undefined ? [] : [id])];
        });
    }),
  );
  return [...rpc, ...http];
}

function schemaNames(root: SourceValue): readonly string[] {
  return (root.member("components")?.member("schemas")?.members ?? []).map(([name]) => name);
}
