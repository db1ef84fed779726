import {
  createNameAllocator,
  type Documentation,
  type JsonValue,
  type NameAllocator,
  pascalCase,
  type RecordField,
  type RecordNode,
  type TypeDeclaration,
  type TypeNode,
} from "@nodewright/model";
import {
  createReport,
  type DiagnosticSink,
  type DocumentSet,
  editDistanceAtMost,
  type Located,
  pointerTokens,
  type Report,
  withArticle,
} from "@nodewright/source";
import { endlessReferences } from "./endless-references.ts";
import { jsonSchemaDiagnostics } from "./json-schema-diagnostics.ts";
import { KeywordReader } from "./keyword-reader.ts";
import {
  applicatorKeywords,
  keywordsOfType,
  knownKeywords,
  type SchemaType,
  schemaTypes,
  unsupportedKeywords,
} from "./keywords.ts";
import type { SchemaDialect } from "./schema-dialect.ts";

export interface SchemaReaderOptions {
  readonly documents: DocumentSet;
  readonly sink: DiagnosticSink;
  readonly dialect: SchemaDialect;
  /** Names that declarations may not take. */
  readonly reservedNames?: Iterable<string>;
}

/** Reads the schemas of one API; whatever they refer to becomes a declaration. */
export interface SchemaReader {
  /** Declares a named schema of the document's components. */
  declare(name: string, schema: Located): void;
  read(schema: Located): TypeNode;
  /** What has been declared and referred to so far, in the order in which it was first met. */
  declarations(): readonly TypeDeclaration[];
  /** A name for something that is no schema, kept clear of the declarations'. */
  readonly names: NameAllocator;
}

export function createSchemaReader(options: SchemaReaderOptions): SchemaReader {
  return new DeclaringSchemaReader(options);
}

class DeclaringSchemaReader implements SchemaReader {
  readonly names: NameAllocator;
  readonly #documents: DocumentSet;
  readonly #report: Report<typeof jsonSchemaDiagnostics>;
  readonly #dialect: SchemaDialect;
  /** Declaration names by `file#pointer`. */
  readonly #nameByPlace = new Map<string, string>();
  readonly #pending: { readonly name: string; readonly originalName: string; readonly schema: Located }[] = [];
  readonly #declarations: TypeDeclaration[] = [];
  #isReadingPending = false;

  constructor({ documents, sink, dialect, reservedNames }: SchemaReaderOptions) {
    this.#documents = documents;
    this.#report = createReport("json-schema", jsonSchemaDiagnostics, sink);
    this.#dialect = dialect;
    this.names = createNameAllocator(reservedNames);
  }

  declare(name: string, schema: Located): void {
    this.#nameOf(schema, name);
  }

  declarations(): readonly TypeDeclaration[] {
    this.#readPending();
    for (const { source } of endlessReferences(this.#declarations)) this.#report("endless-reference", source, {});
    return this.#declarations;
  }

  read(schema: Located): TypeNode {
    const { source } = schema;
    if (schema.boolean !== undefined) return { kind: schema.boolean ? "any" : "never", source };
    if (!schema.isObject) {
      this.#report("not-a-schema", source, { found: withArticle(schema.typeName) });
      return { kind: "any", source };
    }
    this.#reportUnknownKeywords(schema);
    const keywords = new KeywordReader(schema, this.#report);
    const parts = this.#parts(schema, keywords);
    return annotated(combine(parts, schema), schema);
  }

  /** The conditions that a value has to meet, all of them. */
  #parts(schema: Located, keywords: KeywordReader): readonly TypeNode[] {
    const parts: TypeNode[] = [];
    const reference = schema.member("$ref");
    if (reference !== undefined) {
      const referred = this.#reference(schema, reference);
      if (referred !== undefined) parts.push(referred);
      if (this.#dialect === "openapi-3.0") return parts;
    }
    const ownType = this.#ownType(schema, keywords, parts.length > 0);
    if (ownType !== undefined) parts.push(ownType);
    for (const member of schema.member("allOf")?.items ?? []) parts.push(this.read(member));
    for (const [keyword, mode] of [
      ["anyOf", "any-of"],
      ["oneOf", "one-of"],
    ] as const) {
      const members = schema.member(keyword);
      if (members === undefined) continue;
      const discriminator = schema.member("discriminator")?.member("propertyName")?.string;
      parts.push({
        kind: "union",
        mode,
        members: members.items.map((member) => this.read(member)),
        ...(discriminator === undefined ? {} : { discriminator: { property: discriminator } }),
        source: members.source,
      });
    }
    return parts;
  }

  #reference(schema: Located, reference: Located): TypeNode | undefined {
    const target = this.#documents.resolveOnce(schema);
    if (target === undefined) return undefined;
    return { kind: "reference", target: this.#nameOf(target), source: reference.source };
  }

  /** The name of the declaration at a place, declaring it when it is new. */
  #nameOf(schema: Located, wanted?: string): string {
    const place = `${schema.document.file}#${schema.pointer}`;
    const known = this.#nameByPlace.get(place);
    if (known !== undefined) return known;
    const originalName = wanted ?? nameFromPointer(schema);
    const name = this.names.allocate(pascalCase(originalName));
    this.#nameByPlace.set(place, name);
    this.#pending.push({ name, originalName, schema });
    return name;
  }

  #readPending(): void {
    if (this.#isReadingPending) return;
    this.#isReadingPending = true;
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      const { name, originalName, schema } = next;
      const type = this.read(schema);
      const documentation = type.documentation === undefined ? {} : { documentation: type.documentation };
      this.#declarations.push({
        name,
        originalName,
        role: "value",
        type,
        implements: [],
        source: schema.source,
        ...documentation,
      });
    }
    this.#isReadingPending = false;
  }

  /** What `type`, `enum`, `const` and the keywords of the types say; undefined when they say nothing. */
  #ownType(schema: Located, keywords: KeywordReader, hasReference: boolean): TypeNode | undefined {
    const enumeration = this.#enumeration(schema);
    if (enumeration !== undefined) return enumeration;
    const types = this.#types(schema, hasReference);
    if (types === undefined) return undefined;
    const members = types.map((type) => this.#typed(type, schema, keywords));
    if (this.#dialect === "openapi-3.0" && schema.member("nullable")?.boolean === true && !types.includes("null")) {
      members.push({ kind: "null", source: schema.keySource("nullable") });
    }
    return unionOf(members, schema);
  }

  #enumeration(schema: Located): TypeNode | undefined {
    const constant = schema.member("const");
    if (constant !== undefined) {
      this.#checkValueTypes([constant], schema);
      return { kind: "enumeration", values: [constant.value as JsonValue], source: constant.source };
    }
    const values = schema.member("enum");
    if (values === undefined) return undefined;
    if (values.items.length === 0) this.#report("empty-enumeration", values.source, {});
    this.#checkValueTypes(values.items, schema);
    const isNullable = this.#dialect === "openapi-3.0" && schema.member("nullable")?.boolean === true;
    const listed = values.items.map((item) => item.value as JsonValue);
    return {
      kind: "enumeration",
      values: isNullable && !listed.includes(null) ? [...listed, null] : listed,
      source: values.source,
    };
  }

  /** Reports the values that the type beside them excludes. */
  #checkValueTypes(values: readonly Located[], schema: Located): void {
    const types = schema.member("type");
    if (types === undefined) return;
    const names = types.node.kind === "array" ? types.items.map(({ string }) => string) : [types.string];
    const isNullable = this.#dialect === "openapi-3.0" && schema.member("nullable")?.boolean === true;
    for (const { value, source } of values) {
      if (isNullable && value === null) continue;
      if (typeNamesOf(value).some((name) => names.includes(name))) continue;
      this.#report("impossible-value", source, { value: JSON.stringify(value), types: names.join(" or ") });
    }
  }

  /** The types named, or those that the other keywords imply; undefined when the schema says nothing of types. */
  #types(schema: Located, hasReference: boolean): readonly SchemaType[] | undefined {
    const named = schema.member("type");
    if (named !== undefined) {
      const places = named.node.kind === "array" ? named.items : [named];
      return places.flatMap((place) => this.#namedType(place));
    }
    const implied = schemaTypes.filter((type) => keywordsOfType[type].some((keyword) => schema.has(keyword)));
    for (const type of implied) {
      const keyword = keywordsOfType[type].find((candidate) => schema.has(candidate)) ?? "";
      if (!hasReference) this.#report("implied-type", schema.keySource(keyword), { keyword, type });
    }
    if (implied.length > 0) return implied;
    return undefined;
  }

  #namedType(place: Located): readonly SchemaType[] {
    const name = place.string;
    const found = schemaTypes.find((type) => type === name);
    if (found !== undefined) return [found];
    const near = schemaTypes.find((type) => name !== undefined && editDistanceAtMost(type, name, 2));
    this.#report("unknown-type", place.source, {
      type: name ?? JSON.stringify(place.value),
      suggestion: near === undefined ? "" : ` (did you mean "${near}"?)`,
    });
    return [];
  }

  #typed(type: SchemaType, schema: Located, keywords: KeywordReader): TypeNode {
    const source = schema.member("type")?.source ?? schema.source;
    switch (type) {
      case "null":
      case "boolean":
        return { kind: type, source };
      case "string":
        return { kind: "string", ...keywords.stringFacts(), source };
      case "number":
      case "integer":
        return { kind: "number", ...keywords.numberFacts(type === "integer", this.#dialect), source };
      case "array":
        return this.#list(schema, keywords);
      case "object":
        return this.#record(schema, keywords);
      default:
        return type satisfies never;
    }
  }

  #list(schema: Located, keywords: KeywordReader): TypeNode {
    const { source } = schema;
    const items = schema.member("items");
    return {
      kind: "list",
      prefix: (schema.member("prefixItems")?.items ?? []).map((item) => this.read(item)),
      element: items === undefined ? { kind: "any", source } : this.read(items),
      ...keywords.listFacts(),
      source,
    };
  }

  #record(schema: Located, keywords: KeywordReader): RecordNode {
    const { source } = schema;
    const required = keywords.requiredNames();
    const fields = (schema.member("properties")?.members ?? []).map(([name, property]) =>
      this.#field(name, property, required.has(name)),
    );
    for (const name of required) {
      if (!schema.member("properties")?.has(name)) fields.push(undescribedField(name, schema));
    }
    const additional = schema.member("additionalProperties");
    return {
      kind: "record",
      fields,
      additional: additional === undefined ? { kind: "any", source } : this.read(additional),
      patterns: (schema.member("patternProperties")?.members ?? []).flatMap(([pattern, type]) => {
        const isValid = keywords.isPattern(pattern, schema.member("patternProperties")?.keySource(pattern) ?? source);
        return isValid ? [{ pattern, type: this.read(type) }] : [];
      }),
      ...keywords.recordFacts(),
      source,
    };
  }

  #field(name: string, property: Located, required: boolean): RecordField {
    const type = this.read(property);
    const isReadOnly = property.member("readOnly")?.boolean === true;
    const isWriteOnly = property.member("writeOnly")?.boolean === true;
    const access = isReadOnly ? "read-only" : isWriteOnly ? "write-only" : "read-write";
    const documentation = type.documentation === undefined ? {} : { documentation: type.documentation };
    return { name, type, required, access, arguments: [], source: property.source, ...documentation };
  }

  #reportUnknownKeywords(schema: Located): void {
    for (const [keyword] of schema.members) {
      if (keyword.startsWith("x-") || knownKeywords.has(keyword)) continue;
      if (unsupportedKeywords.has(keyword)) {
        this.#report("unsupported-keyword", schema.keySource(keyword), { keyword });
        continue;
      }
      const near = [...knownKeywords].find((known) =>
        editDistanceAtMost(known.toLowerCase(), keyword.toLowerCase(), 2),
      );
      const suggestion = near === undefined ? "" : ` (did you mean "${near}"?)`;
      this.#report("unknown-keyword", schema.keySource(keyword), { keyword, suggestion });
    }
    for (const keyword of applicatorKeywords) {
      const member = schema.member(keyword);
      if (member !== undefined && member.node.kind !== "array") {
        this.#report("wrong-keyword-value", member.source, {
          keyword,
          expected: "a list of schemas",
          found: withArticle(member.typeName),
        });
      }
    }
  }
}

/** The names that JSON Schema has for the type of a value. */
function typeNamesOf(value: unknown): readonly SchemaType[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (typeof value === "bigint" || Number.isInteger(value)) return ["integer", "number"];
  return [typeof value as "string" | "number" | "boolean" | "object"];
}

function undescribedField(name: string, schema: Located): RecordField {
  const source = schema.member("required")?.source ?? schema.source;
  return { name, type: { kind: "any", source }, required: true, access: "read-write", arguments: [], source };
}

/** All parts hold at once; a union with a single member is that member. */
function combine(parts: readonly TypeNode[], schema: Located): TypeNode {
  const [first, ...others] = parts;
  if (first === undefined) return { kind: "any", source: schema.source };
  return others.length === 0 ? first : { kind: "intersection", members: parts, source: schema.source };
}

function unionOf(members: readonly TypeNode[], schema: Located): TypeNode {
  const [first, ...others] = members;
  if (first === undefined) return { kind: "any", source: schema.source };
  return others.length === 0 ? first : { kind: "union", mode: "any-of", members, source: schema.source };
}

/** Adds what a person reads, and the default. */
function annotated(node: TypeNode, schema: Located): TypeNode {
  const documentation = readDocumentation(schema);
  const initial = schema.member("default");
  return {
    ...node,
    ...(documentation === undefined ? {} : { documentation }),
    ...(initial === undefined ? {} : { default: initial.value as JsonValue }),
  };
}

function readDocumentation(schema: Located): Documentation | undefined {
  const summary = schema.member("title")?.string;
  const description = schema.member("description")?.string;
  const deprecated = schema.member("deprecated")?.boolean;
  const single = schema.member("example");
  const examples = [...(single === undefined ? [] : [single]), ...(schema.member("examples")?.items ?? [])].map(
    (example) => example.value as JsonValue,
  );
  const documentation: Documentation = {
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(examples.length === 0 ? {} : { examples }),
  };
  return Object.keys(documentation).length === 0 ? undefined : documentation;
}

/** `#/components/schemas/Block` gives `Block`; a place without a name of its own is named by its last two tokens. */
function nameFromPointer(schema: Located): string {
  const tokens = pointerTokens(schema.pointer) ?? [];
  const last = tokens.at(-1) ?? schema.document.file.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
  const isIndexOrKeyword = /^[0-9]+$/.test(last) || knownKeywords.has(last) || last === "schema";
  return isIndexOrKeyword ? tokens.slice(-3).join(" ") : last;
}
