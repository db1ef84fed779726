import {
  additionalOf,
  type ApiModel,
  type Code,
  contractNames,
  createSourceFile,
  declarationComment,
  defineEmitter,
  type DocComment,
  type EmitRequest,
  type Emitter,
  hasOutputBody,
  importValue,
  type Operation,
  orderDeclarations,
  preferredContent,
  type RecordMember,
  referencesOfType,
  type TypeDeclaration,
  type TypeNode,
} from "nodewright/emitter";
import { withCallees, type ZodHelper, zodHelpers } from "./zod-helpers.ts";
import { leadsBelow, type SchemaScope, zodSchema } from "./zod-schema.ts";

export interface ZodOptions {
  /** File that the schemas are written into; `zod.ts` when absent. */
  readonly file?: string;
  /** Ending of their names; `Schema` when absent. */
  readonly suffix?: string;
}

/** Emits zod 4 schemas: of every declaration, and of what each operation is given and answers. They look at wire values. */
export const zodEmitter: Emitter<Required<ZodOptions>> = defineEmitter({
  apiVersion: 2,
  name: "zod",
  version: "1.0.0",
  parseOptions: parseZodOptions,
  emit(request) {
    const { model, options } = request;
    const named = namedTypes(model);
    const file = createSourceFile({
      path: options.file,
      document: model.document,
      declares: [...named.map(({ name }) => name + options.suffix), ...Object.keys(zodHelpers)],
    });
    file.use(importValue("zod", "z"));
    const helpers = new Set<ZodHelper>();
    const schemas = schemasOf(named, request, helpers);
    for (const helper of withCallees(helpers)) file.add({ kind: "text", text: zodHelpers[helper] });
    for (const { name, comment, type, value } of schemas)
      file.add({ kind: "constant", name, isExported: true, comment, ...(type === undefined ? {} : { type }), value });
    return { files: [file.print()] };
  },
});

function parseZodOptions(options: unknown): Required<ZodOptions> {
  if (options !== undefined && (typeof options !== "object" || options === null))
    throw new Error("the options have to be an object.");
  const { file = "zod.ts", suffix = "Schema", ...rest } = (options ?? {}) as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new Error(`there is no option "${unknown}"; there are "file" and "suffix".`);
  if (typeof file !== "string" || !file.endsWith(".ts"))
    throw new Error('"file" has to be the name of a TypeScript file.');
  if (typeof suffix !== "string" || !/^\w+$/.test(suffix)) throw new Error('"suffix" has to be letters, at least one.');
  return { file, suffix };
}

/** Something that gets a schema. */
interface NamedType {
  readonly name: string;
  readonly type: TypeNode;
  readonly comment: DocComment;
  readonly isRecursive: boolean;
}

interface NamedSchema {
  readonly name: string;
  readonly comment: DocComment;
  readonly type?: string;
  readonly value: Code;
}

function schemasOf(
  named: readonly NamedType[],
  { model, options, report }: EmitRequest<Required<ZodOptions>>,
  helpers: Set<ZodHelper>,
): readonly NamedSchema[] {
  const types = new Map(model.declarations.map(({ name, type }) => [name, type]));
  const above = new Set<string>();
  const known = new Set<string>();
  const scope: SchemaScope = {
    nameOf: (declaration) => declaration + options.suffix,
    knownType: (declaration) => (known.has(declaration) ? types.get(declaration) : undefined),
    isAbove: (declaration) => above.has(declaration),
    helper(name) {
      helpers.add(name);
      return name;
    },
    unsupported: ({ source }, keyword) =>
      report({
        code: "unsupported-keyword",
        severity: "warning",
        message: `zod cannot say "${keyword}"; its schema accepts what this refuses.`,
        source,
      }),
  };
  return named.map(({ name, type, comment, isRecursive }) => {
    const value = zodSchema(type, scope);
    const isKnown = !isRecursive || isInferable(type, scope);
    above.add(name);
    if (isKnown) known.add(name);
    return { name: name + options.suffix, comment, value, ...(isKnown ? {} : { type: "z.ZodType<unknown>" }) };
  });
}

/** TypeScript infers the types of records that lead to themselves by their fields alone; of nothing else in a circle. */
function isInferable(type: TypeNode, scope: SchemaScope): boolean {
  if (type.kind !== "record" || type.isKindImplied === true || leadsBelow(additionalOf(type), scope)) return false;
  return (type.patterns ?? []).length === 0 && type.names === undefined && type.dependencies === undefined;
}

/** Declarations behind those that they lead to, then inputs and outputs. */
function namedTypes(model: ApiModel): readonly NamedType[] {
  const { declarations, recursive } = orderDeclarations(model);
  const data = dataDeclarations(declarations);
  const names = contractNames(model);
  return [
    ...data.map(({ name, type, documentation, originalName }) => ({
      name,
      type,
      comment: declarationComment(documentation, originalName),
      isRecursive: recursive.has(name),
    })),
    ...model.operations.flatMap((operation) => {
      const { input, output } = names.of(operation);
      const comment = { prose: [], tags: [`@generated from ${operation.origin}`] };
      const answer = model.protocol === "graphql" ? undefined : outputType(operation);
      return [
        { name: input, type: inputType(operation), comment, isRecursive: false },
        ...(answer === undefined ? [] : [{ name: output, type: answer, comment, isRecursive: false }]),
      ];
    }),
    ...model.documents.map((document) => {
      const comment = { prose: [], tags: [`@generated from ${document.source.file}`] };
      return { name: names.ofDocument(document).result, type: document.result, comment, isRecursive: false };
    }),
  ];
}

/** What is data in JSON: GraphQL's object types are resolved field by field and have no shape of their own. */
function dataDeclarations(declarations: readonly TypeDeclaration[]): readonly TypeDeclaration[] {
  const leftOut = new Set(
    declarations.filter(({ role }) => role === "object" || role === "interface").map(({ name }) => name),
  );
  return declarations.filter(({ name, type }) => {
    if ([...referencesOfType(type)].some((target) => leftOut.has(target))) leftOut.add(name);
    return !leftOut.has(name);
  });
}

/** The inputs of an operation by their properties, the body under `body`. */
function inputType({ parameters, body, source }: Operation): TypeNode {
  const common = { access: "read-write", arguments: [], source } as const;
  const fields: RecordMember[] = parameters.map(({ property, type, required }) => ({
    ...common,
    name: property,
    type,
    required,
  }));
  const content = body && preferredContent(body);
  if (body !== undefined && content !== undefined)
    fields.push({ ...common, name: "body", type: content.type, required: body.required });
  return { kind: "record", members: fields, additional: { kind: "any", source }, patterns: [], source };
}

/** What an operation answers when it succeeds; undefined where that has no body. */
function outputType(operation: Operation): TypeNode | undefined {
  if (!hasOutputBody(operation)) return undefined;
  const members = operation.successes.flatMap(({ content }) => (content === undefined ? [] : [content.type]));
  const [first, ...others] = members;
  if (others.length === 0) return first;
  return { kind: "union", mode: "any-of", members, source: operation.source };
}
