import type { ApiModel, EmittedFile, Operation, RecordMember, TypeDeclaration } from "@nodewright/model";
import {
  type Code,
  call,
  createSourceFile,
  declarationComment,
  importType,
  importValue,
  namedType,
  objectLiteral,
  objectType,
  type PropertyCode,
  type SourceFile,
  stringLiteral,
  genericType,
  recordDeclaration,
} from "@nodewright/output";
import { contractNames, predicateName } from "@nodewright/emit-contract/names";
import { genericAliases } from "./generic-aliases.ts";
import { fieldsOf, isResolved, resolvedType } from "./graphql-types.ts";
import { type ServerNames, serverNames } from "./names.ts";
import { handlersByName, removedSignature } from "./server-file.ts";

const graphqlModule = "@nodewright/runtime/graphql";

/** Emits `server.ts` of a GraphQL interface: root handlers, the resolvers of each object type, and the plugin that calls them. */
export function graphqlServerFile(model: ApiModel, removed: readonly string[] = []): EmittedFile {
  const names = serverNames(model);
  const resolved = model.declarations.filter(isResolved);
  const roots = new Set(model.operations.map(({ origin }) => origin.slice(0, origin.indexOf("."))));
  // Fields of an interface are resolved by the object type of the value, fields of a root type by its handlers.
  const objects = resolved.filter(({ role, originalName }) => role === "object" && !roots.has(originalName));
  const file = createSourceFile({
    path: "server.ts",
    document: model.document,
    declares: [
      names.parents,
      names.signatures,
      names.handler,
      names.handlers,
      names.resolvers,
      names.options,
      names.factory,
      checksName,
      ...objects.map(resolversName),
    ],
  });
  addParents(file, names, resolved);
  addSignatures(file, names, model, removed);
  addHandlers(file, names);
  for (const declaration of objects) addObject(file, names, declaration, model);
  addResolvers(file, names, objects);
  addFactory(file, names, model);
  return file.print();
}

/** Note about the way in which graphql-js determines the object type. */
const typeNameNote = "A value of an interface or a union names its object type in the member `__typename`.";

function resolversName({ name }: TypeDeclaration): string {
  return `${name}Resolvers`;
}

function addParents(file: SourceFile, names: ServerNames, objects: readonly TypeDeclaration[]): void {
  const comment = {
    prose: [
      "Parent values of object types, which resolvers may narrow.",
      ...(objects.some(({ role }) => role === "interface") ? [typeNameNote] : []),
    ],
    tags: [],
  };
  const properties = objects.map(({ originalName }) => ({ name: originalName, type: namedType("unknown") }));
  file.add(recordDeclaration(names.parents, comment, properties));
}

function addSignatures(file: SourceFile, names: ServerNames, model: ApiModel, removed: readonly string[]): void {
  file.add({
    kind: "interface",
    name: `${names.signatures}<Parents extends ${names.parents}>`,
    comment: { prose: ["Arguments and result of each field of the root types."], tags: [] },
    properties: [
      ...model.operations.map((operation) => signature(operation, model, file)),
      ...removed.map(removedSignature),
    ],
  });
}

function signature(operation: Operation, model: ApiModel, file: SourceFile): PropertyCode {
  const input = file.use(importType("./types.ts", contractNames(model).of(operation).input));
  const [{ content }] = operation.successes;
  if (content === undefined) throw new Error(`${operation.origin} has no type`);
  const output = resolvedType(content.type, model, file);
  const isSubscription = operation.binding.kind === "graphql" && operation.binding.root === "subscription";
  const members = [
    { name: "input", type: namedType(input) },
    { name: "output", type: isSubscription ? genericType("AsyncIterable", [output]) : output },
  ];
  return {
    name: operation.name,
    type: objectType(members, undefined),
    comment: declarationComment(operation.documentation, operation.origin),
  };
}

function addHandlers(file: SourceFile, names: ServerNames): void {
  const signatures = `${names.signatures}<Parents>`;
  const member = (name: string): string => `${signatures}[Name][${stringLiteral(name)}]`;
  const parents = `Parents extends ${names.parents} = ${names.parents}`;
  const resolver = file.use(importType(graphqlModule, "RootResolver"));
  const handlerAlias = {
    name: names.handler,
    parameters: [`Name extends keyof ${names.signatures}<${names.parents}>`, "Context", parents],
    comment: {
      prose: ["Resolver of one field of a root type. Throws `ServiceError` for errors that clients may see."],
      tags: [],
    },
    type: genericType(resolver, [member("input"), member("output"), "Context"]),
  };
  const handlersAlias = {
    name: names.handlers,
    parameters: ["Context", parents],
    comment: {
      prose: ["Resolvers of the fields of the root types. A missing one responds with NOT_IMPLEMENTED."],
      tags: [],
    },
    type: handlersByName(signatures, `${names.handler}<Name, Context, Parents>`),
  };
  file.add(genericAliases([handlerAlias, handlersAlias]));
}

function addObject(file: SourceFile, names: ServerNames, declaration: TypeDeclaration, model: ApiModel): void {
  file.add({
    kind: "interface",
    name: `${resolversName(declaration)}<Context, Parents extends ${names.parents}>`,
    comment: declarationComment(declaration.documentation, declaration.originalName),
    properties: fieldsOf(declaration).map((field) => fieldProperty(declaration, field, model, file)),
  });
}

function fieldProperty(owner: TypeDeclaration, field: RecordMember, model: ApiModel, file: SourceFile): PropertyCode {
  const input =
    (field.arguments ?? []).length === 0
      ? file.use(importType(graphqlModule, "NoArguments"))
      : file.use(importType("./types.ts", contractNames(model).ofArguments(owner.name, field.name)));
  const resolver = file.use(importType(graphqlModule, "Resolver"));
  const parent = `Parents[${stringLiteral(owner.originalName)}]`;
  return {
    name: field.name,
    type: genericType(resolver, [parent, input, resolvedType(field.type, model, file), "Context"]),
    comment: declarationComment(field.documentation, `${owner.originalName}.${field.name}`),
  };
}

function addResolvers(file: SourceFile, names: ServerNames, objects: readonly TypeDeclaration[]): void {
  const objectResolvers = file.use(importType(graphqlModule, "ObjectResolvers"));
  file.add({
    kind: "interface",
    name: `${names.resolvers}<Context, Parents extends ${names.parents}>`,
    comment: {
      prose: [
        "Resolvers of all object types, by name of the type. A field that is a member of its parent value needs none.",
      ],
      tags: [],
    },
    properties: objects.map((declaration) => ({
      name: declaration.originalName,
      type: genericType(objectResolvers, [
        `${resolversName(declaration)}<Context, Parents>`,
        `Parents[${stringLiteral(declaration.originalName)}]`,
      ]),
    })),
  });
}

function addFactory(file: SourceFile, names: ServerNames, model: ApiModel): void {
  const generics = `<Context, Parents extends ${names.parents}>`;
  const options = `${names.options}<Context, Parents>`;
  file.add({
    kind: "interface",
    name: `${names.options}${generics} extends ${file.use(importType(graphqlModule, "GraphqlOptions"))}<Context>`,
    comment: { prose: ["Options of the plugin."], tags: [] },
    properties: [
      { name: "handlers", type: namedType(`${names.handlers}<Context, Parents>`) },
      { name: "resolvers", type: namedType(`${names.resolvers}<Context, Parents>`) },
    ],
  });
  const hasChecks = addScalarChecks(file, model);
  file.add({
    kind: "function",
    name: `${names.factory}${generics}`,
    isExported: true,
    comment: {
      prose: [`Creates the Fastify plugin that serves ${model.title}.`],
      tags: [`@generated from ${model.document}`],
    },
    parameters: [{ name: "options", type: options }],
    returns: file.use(importType("fastify", "FastifyPluginAsync")),
    body: [
      "return ",
      call(file.use(importValue(graphqlModule, "createGraphqlPlugin")), pluginArguments(file, hasChecks)),
      ";",
    ],
  });
}

function pluginArguments(file: SourceFile, hasChecks: boolean): readonly Code[] {
  const table = (name: string): string => file.use(importValue("./operations.ts", name));
  return [
    table("schemaText"),
    `{ ...${table("operations")} }`,
    "options.handlers",
    "{ ...options.resolvers }",
    "options",
    ...(hasChecks ? [checksName] : []),
  ];
}

const checksName = "scalarChecks";

/** Adds the table of scalars that are validated; returns false, and adds none, if no scalar has a known form. */
function addScalarChecks(file: SourceFile, model: ApiModel): boolean {
  const checked = model.declarations.filter(isCheckedScalar);
  if (checked.length === 0) return false;
  const members = checked.map(({ name, originalName }) => {
    const predicate = file.use(importValue("./validators.ts", predicateName(name)));
    return [originalName, predicate] as const;
  });
  file.add({
    kind: "constant",
    name: checksName,
    isExported: false,
    comment: { prose: ["Validation of input values of scalars that the options do not configure."], tags: [] },
    type: file.use(importType(graphqlModule, "ScalarChecks")),
    value: objectLiteral(members),
  });
  return true;
}

/**
 * Returns whether the form of a scalar's input values is known. A plain string type does not count: many of these are also sent as numbers.
 */
function isCheckedScalar({ role, type }: TypeDeclaration): boolean {
  if (role !== "scalar" || type.kind === "any") return false;
  return type.kind !== "string" || type.pattern !== undefined;
}
