import {
  type ApiModel,
  type EmittedFile,
  type HandlerStub,
  type HandlerTarget,
  handlerFileName,
  type Operation,
} from "@nodewright/model";
import {
  type Code,
  call,
  createSourceFile,
  hardline,
  importType,
  importValue,
  indent,
  lines,
  namedType,
  renderCode,
  renderTemplate,
  safeIdentifier,
  stringLiteral,
  genericType,
} from "@nodewright/output";
import { type ServerNames, serverNames } from "./names.ts";

const parentsFile = "parents.ts";

/** Names and locations of a handler's types. */
interface HandlerTypes {
  readonly names: ServerNames;
  readonly serverModule: string;
  readonly target: HandlerTarget;
  /** Whether the values that represent GraphQL objects are listed in `parents.ts`. */
  readonly hasParents: boolean;
}

/** Returns a stub for each operation: typed, and responding that it is not implemented. */
export function handlerStubs(model: ApiModel, packageName: string, target: HandlerTarget): readonly HandlerStub[] {
  const types = handlerTypes(model, packageName, target);
  return model.operations.map((operation) => ({
    operation,
    path: `${handlerFileName(operation.name)}.ts`,
    text: stubText(operation, types),
  }));
}

/** Returns the generated files next to the handlers: the index, and the table of GraphQL parents if the configuration has any. */
export function handlerFiles(model: ApiModel, packageName: string, target: HandlerTarget): readonly EmittedFile[] {
  const types = handlerTypes(model, packageName, target);
  const index = indexFile(model, types);
  return types.hasParents ? [index, parentsTable(model, types)] : [index];
}

function handlerTypes(model: ApiModel, packageName: string, target: HandlerTarget): HandlerTypes {
  return {
    names: serverNames(model),
    serverModule: `${packageName}/server`,
    target,
    hasParents: model.protocol === "graphql" && Object.keys(target.parents).length > 0,
  };
}

function stubText(operation: Operation, { names, serverModule, target, hasParents }: HandlerTypes): string {
  const name = safeIdentifier(operation.name);
  const context = target.context.name;
  const parameters = [stringLiteral(operation.name), context, ...(hasParents ? [names.parents] : [])];
  const summary = operation.documentation?.summary ?? `Handles ${operation.origin}.`;
  const declaration = renderCode([
    `export const ${name}: `,
    genericType(names.handler, parameters).code,
    " = () => {",
    indent(hardline, throwing(operation)),
    hardline,
    "};",
  ]);
  return renderTemplate("handler-stub", {
    serverModule,
    handlerType: names.handler,
    contextModule: target.context.module,
    context,
    hasParents,
    parents: names.parents,
    summary: summary.replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ").trim(),
    declaration,
  });
}

function throwing(operation: Operation): Code {
  const message = stringLiteral(`${operation.origin} is not implemented`);
  return ["throw ", call("new ServiceError", [stringLiteral("not_implemented"), message]), ";"];
}

function indexFile(model: ApiModel, { names, serverModule, target, hasParents }: HandlerTypes): EmittedFile {
  const file = createSourceFile({ path: "index.ts", document: model.document, declares: ["handlers"] });
  const handlers = file.use(importType(serverModule, names.handlers));
  const context = file.use(importType(target.context.module, target.context.name));
  const parents = hasParents ? `, ${file.use(importType(`./${parentsFile}`, names.parents))}` : "";
  const members = model.operations
    .filter((operation) => target.present.has(operation.name))
    .map((operation) => member(operation, file.use(handlerSymbol(operation))));
  file.add({
    kind: "constant",
    name: "handlers",
    isExported: true,
    comment: { prose: ["Handlers of all operations, by name."], tags: [`@generated from ${model.document}`] },
    type: `${handlers}<${context}${parents}>`,
    value: members.length === 0 ? "{}" : ["{", indent(hardline, lines(members)), hardline, "}"],
  });
  return file.print();
}

function handlerSymbol({ name }: Operation): ReturnType<typeof importValue> {
  return importValue(`./${handlerFileName(name)}.ts`, safeIdentifier(name));
}

function member({ name }: Operation, local: string): string {
  return name === local ? `${name},` : `${name}: ${local},`;
}

/** Returns the table of values that represent objects, as configured. */
function parentsTable(model: ApiModel, { names, serverModule, target }: HandlerTypes): EmittedFile {
  const file = createSourceFile({ path: parentsFile, document: model.document, declares: [names.parents] });
  const general = file.use(importType(serverModule, names.parents));
  file.add({
    kind: "interface",
    name: `${names.parents} extends ${general}`,
    comment: {
      prose: ["Parent values of the object types."],
      tags: [`@generated from ${model.document}`],
    },
    properties: Object.entries(target.parents).map(([type, { module, name }]) => ({
      name: type,
      type: namedType(file.use(importType(module, name))),
    })),
  });
  return file.print();
}
