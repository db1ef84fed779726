import type { Direction } from "@nodewright/api-model";
import {
  checkExtensions,
  type Documentation,
  type IntersectionNode,
  type JsonValue,
  type ListNode,
  type NameAllocator,
  pascalCase,
  type CommonReadOptions,
  type RecordMember,
  type RecordNode,
  schemaExtensionValues,
  type TypeDeclaration,
  type TypeNode,
  type UnionNode,
} from "@nodewright/model";
import {
  createReport,
  type DiagnosticReceiver,
  type DocumentSet,
  SourceValue,
  type Report,
  type SourceNode,
  withArticle,
} from "@nodewright/source";
import { editDistanceAtMost } from "@nodewright/terminal-text";
import { DeclarationNames, originalNameOf } from "./declaration-names.ts";
import {
  checkMapping,
  type DiscriminatorReading,
  type MappedSchema,
  mappedSchemas,
  readDiscriminator,
} from "./discriminator.ts";
import { DynamicScope } from "./dynamic-scope.ts";
import { mayMatch, readEnumeration } from "./enumeration.ts";
import { InheritedSelections } from "./inherited-selection.ts";
import { jsonSchemaDiagnostics } from "./json-schema-diagnostics.ts";
import { checkKeywords } from "./keyword-check.ts";
import { KeywordReader } from "./keyword-reader.ts";
import { type KeywordKind, keywordsOfKind, type SchemaType, schemaTypes } from "./keywords.ts";
import { MemberAccess } from "./member-access.ts";
import { readPattern } from "./pattern.ts";
import { findReferenceProblems, maximumReferenceChain } from "./reference-problems.ts";
import { type DialectFacts, effectiveSchema, type SchemaDialect } from "./schema-dialect.ts";
import { SchemaGraph } from "./schema-graph.ts";
import { placeKey, type SchemaResource, SchemaResources } from "./schema-resources.ts";
import { splitFragment } from "./uri.ts";

/** Options of a schema reader. */
export interface SchemaReaderOptions {
  readonly documents: DocumentSet;
  readonly sink: DiagnosticReceiver;
  /** Dialect of schemas without `$schema`. */
  readonly dialect: SchemaDialect;
  /** Names that declarations must not use. */
  readonly reservedNames?: Iterable<string>;
  readonly readOptions?: Pick<CommonReadOptions, "declarations" | "formats">;
}

/** Reader of the schemas of one API. Every referenced schema becomes a declaration. */
export interface SchemaReader {
  /** Declares a named schema of the document's components. Declare all of them before reading the first: names depend on all. */
  declare(name: string, schema: SourceValue): void;
  /**
   * Reads a schema. With a direction, the properties that only the other side sets are optional, also in referenced schemas. A declaration
   * with such properties is read twice: `PetInput` is `Pet` in requests.
   */
  read(schema: SourceValue, direction?: Direction): TypeNode;
  /**
   * Follows the references of a schema to the end, by identifier, anchor or JSON Pointer, and returns the target; the schema itself if it
   * has none. Returns undefined if they cannot be resolved, with a diagnostic, or are circular, which `declarations` reports.
   */
  resolve(schema: SourceValue): SourceValue | undefined;
  /** Resolves the value of a `$ref`: one step of `resolve`. */
  target(reference: SourceValue): SourceValue | undefined;
  /** Returns everything declared and referred to so far, in order of first occurrence. */
  declarations(): readonly TypeDeclaration[];
  /** Allocator for names that must not clash with those of declarations. */
  readonly names: NameAllocator;
}

/** Creates a reader of the schemas of one document and of the documents to which its `$ref`s lead. */
export function createSchemaReader(options: SchemaReaderOptions): SchemaReader {
  return new DeclaringSchemaReader(options);
}

/** Options under which a schema is read. Each combination may result in another type. */
interface View {
  readonly isRequest: boolean;
  /** Whether the schema is extended by one of its own alternatives: it is then read without them. */
  readonly isExtended: boolean;
  readonly scope: DynamicScope;
}

/** Context of a schema that is being read. */
interface Surroundings extends View {
  readonly resource: SchemaResource;
  readonly dialect: DialectFacts;
  readonly direction: Direction | undefined;
  /** Properties of the object that are optional in this direction, according to the surrounding schemas of the same object. */
  readonly relaxed: ReadonlySet<string>;
}

interface PendingDeclaration {
  readonly schema: SourceValue;
  readonly originalName: string;
  readonly view: View;
}

type Dependency = NonNullable<RecordNode["dependencies"]>[number];

const nothingRelaxed: ReadonlySet<string> = new Set();

class DeclaringSchemaReader implements SchemaReader {
  readonly names: NameAllocator;
  readonly #sink: DiagnosticReceiver;
  readonly #report: Report<typeof jsonSchemaDiagnostics>;
  readonly #resources: SchemaResources;
  readonly #names: DeclarationNames;
  readonly #access: MemberAccess;
  readonly #selections: InheritedSelections;
  readonly #splitGraph: SchemaGraph;
  readonly #dynamicGraph: SchemaGraph;
  readonly #formats: CommonReadOptions["formats"];
  readonly #components = new Map<string, SourceValue>();
  /** Final targets of schemas with references: each chain is followed once, however many references lead into it. */
  readonly #resolved = new Map<SourceNode, SourceValue | undefined>();
  /** Names of declarations by place and view. */
  readonly #nameByKey = new Map<string, string>();
  readonly #met = new Set<string>();
  readonly #pending: PendingDeclaration[] = [];
  readonly #declarations: TypeDeclaration[] = [];
  /** Whether a direction was ever given. If so, schemas without a direction are read as in responses. */
  #hasDirections = false;

  constructor({ documents, sink, dialect, reservedNames = [], readOptions = {} }: SchemaReaderOptions) {
    this.#sink = sink;
    this.#report = createReport("json-schema", jsonSchemaDiagnostics, sink);
    this.#resources = new SchemaResources({ documents, sink, report: this.#report, dialect });
    this.#names = new DeclarationNames({ reserved: reservedNames, chosen: readOptions.declarations ?? {} });
    this.names = this.#names.allocator;
    this.#formats = readOptions.formats;
    this.#access = new MemberAccess((schema) => this.#staticTarget(schema));
    this.#selections = new InheritedSelections({
      components: () => this.#components.values(),
      target: (schema) => this.#staticTarget(schema),
      mapped: (schema) => this.#mappedSchemas(schema),
    });
    this.#splitGraph = new SchemaGraph({
      holds: (schema) => this.#access.isSplit(schema),
      targets: (schema) => this.#staticTargets(schema),
    });
    this.#dynamicGraph = new SchemaGraph({
      holds: (schema) => schema.has("$dynamicRef") || schema.has("$recursiveRef"),
      targets: (schema) => this.#staticTargets(schema),
    });
  }

  declare(name: string, schema: SourceValue): void {
    this.#resources.add(schema);
    this.#components.set(name, schema);
    this.#names.add(name, schema);
    const view = this.#ownView(schema);
    this.#met.add(viewKey(schema, view));
    this.#pending.push({ schema, originalName: name, view });
  }

  declarations(): readonly TypeDeclaration[] {
    for (let next = this.#declarations.length; next < this.#pending.length; next += 1) {
      const pending = this.#pending[next];
      if (pending !== undefined) this.#declarations.push(this.#declaration(pending));
    }
    const { endless, tooDeep } = findReferenceProblems(this.#declarations);
    for (const { source } of endless) this.#report("endless-reference", source, {});
    for (const { source } of tooDeep) this.#report("too-deep", source, { depth: maximumReferenceChain });
    return this.#declarations;
  }

  read(schema: SourceValue, direction?: Direction): TypeNode {
    this.#resources.add(schema);
    this.#hasDirections ||= direction !== undefined;
    return this.#read(schema, this.#surroundings(schema, this.#ownView(schema), direction));
  }

  resolve(schema: SourceValue): SourceValue | undefined {
    const chain: SourceNode[] = [];
    let place: SourceValue | undefined = schema;
    while (place?.has("$ref") && !this.#resolved.has(place.node)) {
      chain.push(place.node);
      // Detects a cycle while the chain is followed.
      this.#resolved.set(place.node, undefined);
      place = this.#staticTarget(place);
    }
    const target = place?.has("$ref") ? this.#resolved.get(place.node) : place;
    for (const node of chain) this.#resolved.set(node, target);
    return target;
  }

  target(reference: SourceValue): SourceValue | undefined {
    return this.#resources.resolve(reference, this.#resources.of(reference));
  }

  #declaration({ schema, originalName, view }: PendingDeclaration): TypeDeclaration {
    const direction = view.isRequest ? "request" : this.#hasDirections ? "response" : undefined;
    const place = view.isExtended ? withoutAlternatives(schema) : schema;
    const type = this.#read(place, this.#surroundings(schema, view, direction));
    return {
      name: this.#nameIn(schema, view),
      originalName,
      role: "value",
      type,
      implements: [],
      source: schema.source,
      ...(type.documentation === undefined ? {} : { documentation: type.documentation }),
    };
  }

  #surroundings(schema: SourceValue, view: View, direction: Direction | undefined): Surroundings {
    const resource = this.#resources.of(schema);
    return { ...view, resource, dialect: resource.dialect, direction, relaxed: nothingRelaxed };
  }

  #read(schema: SourceValue, around: Surroundings): TypeNode {
    const { source } = schema;
    if (schema.boolean !== undefined) return { kind: schema.boolean ? "any" : "never", source };
    if (!schema.isObject) {
      this.#report("not-a-schema", source, { found: withArticle(schema.typeName) });
      return { kind: "any", source };
    }
    const here = this.#entering(schema, around);
    const effective = effectiveSchema(schema, here.dialect);
    checkKeywords(effective, here.dialect, this.#report);
    if (!here.dialect.hasNullable && effective.member("nullable")?.boolean === true)
      this.#report("foreign-nullable", effective.keySource("nullable"), {});
    const type = this.#withUnevaluated(effective, this.#conditions(effective, here), here);
    return this.#annotated(this.#withNull(effective, type, here), effective);
  }

  /** Returns the context of a schema that starts a new resource or names its dialect. */
  #entering(schema: SourceValue, around: Surroundings): Surroundings {
    const { idKeyword } = around.dialect;
    const isResource = idKeyword !== undefined && schema.has(idKeyword);
    if (!isResource && !schema.has("$schema")) return around;
    const resource = isResource ? this.#resources.of(schema) : around.resource;
    const dialect = this.#resources.dialectAt(schema, isResource ? resource.dialect : around.dialect);
    return { ...around, resource, dialect, scope: around.scope.entering(resource) };
  }

  /** Returns the intersection of all conditions of a schema. */
  #conditions(schema: SourceValue, around: Surroundings): TypeNode {
    const here = this.#relaxing(schema, around);
    const parts = [
      ...this.#references(schema, here),
      ...this.#ownConditions(schema, here),
      ...listOf(schema.member("allOf")).map((member) => this.#part(schema, member, here)),
      ...this.#alternatives(schema, here),
      ...this.#logic(schema, here),
    ];
    const [first, ...others] = parts;
    if (first === undefined) return { kind: "any", source: schema.source };
    const selection = this.#selections.of(schema);
    if (selection !== undefined) return selected(schema, parts, selection, this.#isExtending(schema));
    return others.length === 0 ? first : { kind: "intersection", members: parts, source: schema.source };
  }

  /**
   * Reads a member of `allOf`. If it refers to a schema that has the extending schema among its alternatives, the recursion would not end:
   * the target is then read without its alternatives.
   */
  #part(schema: SourceValue, member: SourceValue, here: Surroundings): TypeNode {
    const reference = member.members.length === 1 ? member.member("$ref") : undefined;
    const target = reference && this.#extendedBy(schema, member);
    if (reference === undefined || target === undefined) return this.#read(member, here);
    this.#report("extended-alternatives", reference.source, { name: originalNameOf(target) });
    return { kind: "reference", target: this.#nameOf(target, here, true), source: reference.source };
  }

  /** Returns the target of a member of `allOf` if it has the extending schema among its alternatives. */
  #extendedBy(schema: SourceValue, member: SourceValue): SourceValue | undefined {
    const target = this.#staticTarget(member);
    return target !== undefined && this.#selections.isAlternativeOf(schema, target) ? target : undefined;
  }

  #isExtending(schema: SourceValue): boolean {
    return listOf(schema.member("allOf")).some((member) => this.#extendedBy(schema, member) !== undefined);
  }

  #relaxing(schema: SourceValue, around: Surroundings): Surroundings {
    if (around.direction === undefined || !this.#resources.mentionsAccess) return around;
    const names = this.#access.relaxedNames(schema, around.direction);
    return names.length === 0 ? around : { ...around, relaxed: new Set([...around.relaxed, ...names]) };
  }

  #references(schema: SourceValue, here: Surroundings): readonly TypeNode[] {
    const found: TypeNode[] = [];
    const refer = (place: SourceValue, target: SourceValue | undefined): void => {
      if (target === undefined) return;
      found.push({ kind: "reference", target: this.#nameOf(target, here), source: place.source });
    };
    const reference = schema.member("$ref");
    if (reference !== undefined) refer(reference, this.#resources.resolve(reference, here.resource));
    for (const keyword of ["$dynamicRef", "$recursiveRef"] as const) {
      const dynamic = schema.member(keyword);
      if (dynamic !== undefined) refer(dynamic, this.#dynamicTarget(dynamic, keyword, here));
    }
    return found;
  }

  #dynamicTarget(
    place: SourceValue,
    keyword: "$dynamicRef" | "$recursiveRef",
    { resource, scope }: Surroundings,
  ): SourceValue | undefined {
    const target = this.#resources.resolve(place, resource);
    if (target === undefined) return undefined;
    const name = keyword === "$recursiveRef" ? "" : (splitFragment(place.string ?? "").fragment ?? "/");
    const anchored = this.#resources.of(target).dynamicAnchors.get(name);
    const isDynamic = anchored !== undefined && placeKey(anchored) === placeKey(target);
    return isDynamic ? (scope.find(name) ?? target) : target;
  }

  #alternatives(schema: SourceValue, here: Surroundings): readonly TypeNode[] {
    const unions = (["anyOf", "oneOf"] as const).flatMap((keyword) => {
      const places = schema.member(keyword);
      return places?.node.kind === "array" && places.items.length > 0
        ? [this.#union(schema, keyword, places, here)]
        : [];
    });
    if (unions.length === 0) checkMapping(schema, this.#discriminatorReading(here));
    return unions;
  }

  #union(schema: SourceValue, keyword: "anyOf" | "oneOf", places: SourceValue, here: Surroundings): UnionNode {
    const alternatives = places.items.map((place) => ({ place, type: this.#read(place, here) }));
    const discriminator = readDiscriminator(schema, alternatives, this.#discriminatorReading(here));
    return {
      kind: "union",
      mode: keyword === "anyOf" ? "any-of" : "one-of",
      members: alternatives.map(({ type }) => type),
      ...(discriminator === undefined ? {} : { discriminator }),
      source: places.source,
    };
  }

  #discriminatorReading(here: Surroundings): DiscriminatorReading {
    return {
      report: this.#report,
      component: (name) => this.#components.get(name),
      inherited: (schema, property) => {
        const selection = this.#selections.of(schema);
        return selection?.property === property ? selection.values : undefined;
      },
      target: (reference) => this.#resources.resolve(reference, here.resource),
    };
  }

  /** Returns the schemas that the discriminator of a schema maps to. Invalid entries are reported when the schema is read. */
  #mappedSchemas(schema: SourceValue): readonly MappedSchema[] {
    const discriminator = schema.member("discriminator");
    if (discriminator === undefined) return [];
    const resource = this.#resources.of(schema);
    return mappedSchemas(discriminator, {
      report: () => undefined,
      component: (name) => this.#components.get(name),
      inherited: () => undefined,
      target: (reference) => this.#resources.resolve(reference, resource),
    });
  }

  #logic(schema: SourceValue, here: Surroundings): readonly TypeNode[] {
    const found: TypeNode[] = [];
    const negated = schema.member("not");
    if (negated !== undefined) found.push({ kind: "not", type: this.#read(negated, here), source: negated.source });
    const condition = schema.member("if");
    if (condition === undefined) return found;
    const branch = (keyword: "then" | "else"): TypeNode => {
      const place = schema.member(keyword);
      return place === undefined ? { kind: "any", source: condition.source } : this.#read(place, here);
    };
    const { source } = condition;
    const type = this.#read(condition, here);
    return [
      ...found,
      { kind: "conditional", condition: type, consequence: branch("then"), alternative: branch("else"), source },
    ];
  }

  #withUnevaluated(schema: SourceValue, base: TypeNode, here: Surroundings): TypeNode {
    const members = schema.member("unevaluatedProperties");
    const elements = schema.member("unevaluatedItems");
    if (members === undefined && elements === undefined) return base;
    const inside = { ...here, relaxed: nothingRelaxed };
    return {
      kind: "unevaluated",
      base,
      ...(members === undefined ? {} : { members: this.#read(members, inside) }),
      ...(elements === undefined ? {} : { elements: this.#read(elements, inside) }),
      source: schema.source,
    };
  }

  /**
   * Adds null for `nullable`. It applies to all keywords next to it, including references and `allOf`: documents use it with that meaning.
   */
  #withNull(schema: SourceValue, type: TypeNode, { dialect }: Surroundings): TypeNode {
    if (!isNullable(schema, dialect) || type.kind === "any") return type;
    if (type.kind === "enumeration")
      return type.values.includes(null) ? type : { ...type, values: [...type.values, null] };
    const none: TypeNode = { kind: "null", source: schema.keySource("nullable") };
    if (type.kind === "union" && type.mode === "any-of" && type.discriminator === undefined)
      return type.members.some(({ kind }) => kind === "null") ? type : { ...type, members: [...type.members, none] };
    return { kind: "union", mode: "any-of", members: [type, none], source: schema.source };
  }

  /** Adds the documentation, and the default. */
  #annotated(node: TypeNode, schema: SourceValue): TypeNode {
    const documentation = readDocumentation(schema);
    const initial = this.#defaultOf(schema, node);
    if (documentation === undefined && initial === undefined) return node;
    return {
      ...node,
      ...(documentation === undefined ? {} : { documentation }),
      ...(initial === undefined ? {} : { default: initial.value as JsonValue, defaultSource: initial.source }),
    };
  }

  /** Returns the default of a schema. Many documents give null as the default to express a missing default. */
  #defaultOf(schema: SourceValue, node: TypeNode): SourceValue | undefined {
    const initial = schema.member("default");
    if (initial === undefined || initial.value !== null || mayMatch(null, node)) return initial;
    this.#report("null-default", initial.source, {});
    return undefined;
  }

  /** Returns the conditions of `type`, `enum`, `const` and the keywords of the types. */
  #ownConditions(schema: SourceValue, here: Surroundings): readonly TypeNode[] {
    const types = this.#types(schema);
    const keywords = new KeywordReader(schema, here.dialect, this.#report);
    const conditions =
      types === undefined
        ? this.#impliedConditions(schema, keywords, here)
        : [
            unionOf(
              types.map((type) => this.#typed(type, schema, keywords, here)),
              schema,
            ),
          ];
    return (
      readEnumeration(schema, conditions, { isNullable: isNullable(schema, here.dialect), report: this.#report }) ??
      conditions
    );
  }

  /** Returns the types of a schema; undefined if it has no `type`. */
  #types(schema: SourceValue): readonly SchemaType[] | undefined {
    const named = schema.member("type");
    if (named === undefined) return undefined;
    const places = named.node.kind === "array" ? named.items : [named];
    const types = new Set(places.flatMap((place) => this.#namedType(place)));
    // Integers are numbers: "integer" next to "number" has no effect.
    if (types.has("number")) types.delete("integer");
    // Invalid types have been reported; without valid ones the schema is read as if it had no `type`.
    return types.size === 0 ? undefined : [...types];
  }

  #namedType(place: SourceValue): readonly SchemaType[] {
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

  /** Returns one condition for each type that the keywords apply to. Together they allow all values of other types. */
  #impliedConditions(schema: SourceValue, keywords: KeywordReader, here: Surroundings): readonly TypeNode[] {
    const kinds = (["string", "number", "array", "object"] as const).filter(
      (kind) =>
        keywordsOfKind[kind].some((keyword) => schema.has(keyword)) ||
        (kind === "string" && this.#assertsFormat(schema.member("format")?.string, here)),
    );
    const isStandalone = !schema.has("$ref") && !schema.has("type") && !isPartOfAnother(schema);
    return kinds.map((kind) => {
      const keyword = keywordsOfKind[kind].find((candidate) => schema.has(candidate));
      if (keyword !== undefined && isStandalone && !isComposed(schema))
        this.#report("implied-type", schema.keySource(keyword), { keyword, type: kind });
      return { ...this.#ofKind(kind, schema, keywords, here), isKindImplied: true };
    });
  }

  #typed(type: SchemaType, schema: SourceValue, keywords: KeywordReader, here: Surroundings): TypeNode {
    const source = schema.memberSource("type");
    if (type === "null" || type === "boolean") return { kind: type, source };
    if (type === "integer") return { kind: "number", ...keywords.numberFacts(true), source };
    return this.#ofKind(type, schema, keywords, here);
  }

  #ofKind(kind: KeywordKind, schema: SourceValue, keywords: KeywordReader, here: Surroundings): TypeNode {
    const source = schema.memberSource("type");
    switch (kind) {
      case "string": {
        const facts = keywords.stringFacts();
        return {
          kind: "string",
          ...facts,
          ...(this.#assertsFormat(facts.format, here) ? { assertsFormat: true } : {}),
          source,
        };
      }
      case "number":
        return { kind: "number", ...keywords.numberFacts(false), source };
      case "array":
        return this.#list(schema, keywords, here);
      case "object":
        return this.#record(schema, keywords, here);
      default:
        return kind satisfies never;
    }
  }

  #assertsFormat(format: string | undefined, { dialect }: Surroundings): boolean {
    if (format === undefined) return false;
    if (typeof this.#formats === "object") return this.#formats.includes(format);
    return this.#formats === "assert" || dialect.assertsFormat;
  }

  #list(schema: SourceValue, keywords: KeywordReader, around: Surroundings): ListNode {
    const { source } = schema;
    const here = { ...around, relaxed: nothingRelaxed };
    const items = schema.member("items");
    // Before 2020-12 an array of `items` was `prefixItems`, and `additionalItems` was the `items` next to it.
    const isTuple = items?.node.kind === "array";
    const prefix = listOf(isTuple ? items : around.dialect.hasPrefixItems ? schema.member("prefixItems") : undefined);
    const rest = isTuple ? schema.member("additionalItems") : items;
    const contained = schema.member("contains");
    return {
      kind: "list",
      prefix: prefix.map((item) => this.#read(item, here)),
      element: rest === undefined ? { kind: "any", source } : this.#read(rest, here),
      ...(rest === undefined ? {} : { evaluatesAll: true }),
      ...keywords.listFacts(),
      ...(contained === undefined
        ? {}
        : { contains: { type: this.#read(contained, here), ...keywords.containsFacts() } }),
      source,
    };
  }

  #record(schema: SourceValue, keywords: KeywordReader, here: Surroundings): RecordNode {
    const { source } = schema;
    const inside = { ...here, relaxed: nothingRelaxed };
    const required = keywords.requiredNames();
    const properties = schema.member("properties")?.members ?? [];
    const fields = properties.map(([name, property]) =>
      this.#field(name, property, required.has(name) && !here.relaxed.has(name), inside),
    );
    const patterns = (schema.member("patternProperties")?.members ?? []).flatMap(([written, type]) => {
      const place = schema.member("patternProperties");
      const pattern = readPattern(written, () => place?.keySource(written), this.#report);
      return pattern === undefined ? [] : [{ pattern, type: this.#read(type, inside) }];
    });
    const rest = schema.member("additionalProperties");
    const additional: TypeNode = rest === undefined ? { kind: "any", source } : this.#read(rest, inside);
    const names = schema.member("propertyNames");
    const dependencies = this.#dependencies(schema, here);
    const described = new Set(properties.map(([name]) => name));
    for (const name of required) {
      if (!described.has(name) && !here.relaxed.has(name))
        fields.push(undescribedField(name, { patterns, additional }, schema));
    }
    return {
      kind: "record",
      members: fields,
      additional,
      ...(rest === undefined ? {} : { evaluatesAll: true }),
      patterns,
      ...keywords.recordFacts(),
      ...(names === undefined ? {} : { names: this.#read(names, inside) }),
      ...(dependencies.length === 0 ? {} : { dependencies }),
      source,
    };
  }

  #field(name: string, property: SourceValue, required: boolean, here: Surroundings): RecordMember {
    const type = this.#read(property, here);
    const access = this.#resources.mentionsAccess ? this.#access.accessOf(property) : "read-write";
    const documentation = type.documentation === undefined ? {} : { documentation: type.documentation };
    const volatility = this.#isVolatile(property) ? { isVolatile: true } : {};
    return { name, type, required, access, arguments: [], source: property.source, ...volatility, ...documentation };
  }

  #isVolatile(property: SourceValue): boolean {
    checkExtensions(property, this.#sink, schemaExtensionValues);
    return property.member("x-volatile")?.boolean === true;
  }

  /** Reads `dependentRequired` and `dependentSchemas`, and `dependencies`, which combined both before 2019-09. */
  #dependencies(schema: SourceValue, here: Surroundings): readonly Dependency[] {
    return (["dependentRequired", "dependentSchemas", "dependencies"] as const).flatMap((keyword) =>
      (schema.member(keyword)?.members ?? []).flatMap(([property, place]): readonly Dependency[] => {
        if (place.node.kind !== "array") {
          return keyword === "dependentRequired" ? [] : [{ property, type: this.#read(place, here), keyword }];
        }
        const names = place.items.map(({ string }) => string).filter((name) => name !== undefined);
        return names.length === 0 ? [] : [{ property, type: requiring(names, place, here.relaxed), keyword }];
      }),
    );
  }

  /** Returns the name of the declaration for a schema in this context. */
  #nameOf(target: SourceValue, here: Surroundings, isExtended = false): string {
    const view = { ...this.#viewFrom(target, here), isExtended };
    const key = viewKey(target, view);
    if (!this.#met.has(key)) {
      this.#met.add(key);
      this.#pending.push({ schema: target, originalName: originalNameOf(target), view });
    }
    return this.#nameIn(target, view);
  }

  #viewFrom(target: SourceValue, here: Surroundings): View {
    const isRequest =
      here.direction === "request" && this.#resources.mentionsAccess && this.#splitGraph.reaches(target);
    const resource = this.#resources.of(target);
    const isDynamic = this.#resources.hasDynamicAnchors && this.#dynamicGraph.reaches(target);
    return { isRequest, isExtended: false, scope: isDynamic ? here.scope.entering(resource) : DynamicScope.empty };
  }

  /** Returns the view of a schema that no reference leads to. */
  #ownView(schema: SourceValue): View {
    const resource = this.#resources.of(schema);
    const isDynamic = this.#resources.hasDynamicAnchors && this.#dynamicGraph.reaches(schema);
    const scope = isDynamic ? DynamicScope.empty.entering(resource) : DynamicScope.empty;
    return { isRequest: false, isExtended: false, scope };
  }

  #nameIn(schema: SourceValue, view: View): string {
    const key = viewKey(schema, view);
    const known = this.#nameByKey.get(key);
    if (known !== undefined) return known;
    const name = this.#newName(schema, view);
    this.#nameByKey.set(key, name);
    return name;
  }

  #newName(schema: SourceValue, view: View): string {
    const name = this.#names.of(schema);
    const { outermost } = view.scope;
    const isInScope = outermost !== undefined && view.scope.key !== this.#ownView(schema).scope.key;
    const inScope = isInScope ? `${name}In${pascalCase(originalNameOf(this.#resources.of(outermost).root))}` : name;
    const wanted = `${inScope}${view.isExtended ? "Base" : ""}${view.isRequest ? "Input" : ""}`;
    return wanted === name ? name : this.names.allocate(wanted);
  }

  /** Returns the target of `$ref` independent of the dynamic scope; for queries about schemas, not for reading them. */
  #staticTarget(schema: SourceValue): SourceValue | undefined {
    const place = schema.member("$ref");
    return place && this.target(place);
  }

  #staticTargets(schema: SourceValue): readonly SourceValue[] {
    const target = this.#staticTarget(schema);
    return target === undefined ? [] : [target];
  }
}

function viewKey(schema: SourceValue, { isRequest, isExtended, scope }: View): string {
  return `${placeKey(schema)} ${isRequest} ${isExtended} ${scope.key}`;
}

/**
 * Returns a type with the discriminator values that select it. They are asserted for alternatives that extend the schema which lists them,
 * because nothing else distinguishes these.
 */
function selected(
  { source }: SourceValue,
  parts: readonly TypeNode[],
  selection: NonNullable<IntersectionNode["selection"]>,
  isAsserted: boolean,
): IntersectionNode {
  if (!isAsserted) return { kind: "intersection", members: parts, selection, source };
  const type: TypeNode = { kind: "enumeration", values: selection.values, source };
  const field: RecordMember = {
    name: selection.property,
    type,
    required: true,
    access: "read-write",
    arguments: [],
    source,
  };
  const tag: RecordNode = {
    kind: "record",
    members: [field],
    additional: { kind: "any", source },
    patterns: [],
    source,
  };
  return { kind: "intersection", members: [...parts, tag], source };
}

/** Returns a schema without its alternatives. */
function withoutAlternatives(schema: SourceValue): SourceValue {
  if (schema.node.kind !== "object") return schema;
  const members = [...schema.node.members].filter(([name]) => !["anyOf", "oneOf", "discriminator"].includes(name));
  return new SourceValue(schema.document, { ...schema.node, members: new Map(members) }, schema.pointer);
}

function listOf(place: SourceValue | undefined): readonly SourceValue[] {
  return place?.items ?? [];
}

/** Returns whether a schema allows null with the `nullable` of OpenAPI 3.0. */
function isNullable(schema: SourceValue, { hasNullable }: DialectFacts): boolean {
  return hasNullable && schema.member("nullable")?.boolean === true;
}

/**
 * Returns whether a schema is one of the conditions of another. Such a schema often has keywords of one type and leaves `type` to the
 * other.
 */
function isPartOfAnother({ pointer }: SourceValue): boolean {
  return /\/(?:(?:allOf|anyOf|oneOf)\/[0-9]+|not|if|propertyNames|then|else|dependentSchemas\/[^/]+|dependencies\/[^/]+)$/.test(
    pointer,
  );
}

/** Returns whether a schema is composed of others that describe its values. */
function isComposed(schema: SourceValue): boolean {
  return ["allOf", "anyOf", "oneOf", "enum", "const", "$dynamicRef", "if"].some((keyword) => schema.has(keyword));
}

/**
 * Returns the field of a record that is required but not described: with the type of the matching patterns, else with that of additional
 * properties.
 */
function undescribedField(
  name: string,
  { patterns, additional }: Required<Pick<RecordNode, "patterns" | "additional">>,
  schema: SourceValue,
): RecordMember {
  const source = schema.memberSource("required");
  const [first, ...others] = patterns
    .filter(({ pattern }) => new RegExp(pattern, "u").test(name))
    .map(({ type }) => type);
  const ofPatterns: TypeNode | undefined =
    first === undefined || others.length === 0 ? first : { kind: "intersection", members: [first, ...others], source };
  return {
    name,
    type: ofPatterns ?? additional,
    required: true,
    access: "read-write",
    isUndescribed: true,
    arguments: [],
    source,
  };
}

/** Returns an object type with required properties of these names. */
function requiring(names: readonly string[], place: SourceValue, relaxed: ReadonlySet<string>): RecordNode {
  const { source } = place;
  const additional: TypeNode = { kind: "any", source };
  return {
    kind: "record",
    isKindImplied: true,
    members: [...new Set(names)]
      .filter((name) => !relaxed.has(name))
      .map((name) => ({
        name,
        type: additional,
        required: true,
        access: "read-write",
        isUndescribed: true,
        arguments: [],
        source,
      })),
    additional,
    patterns: [],
    source,
  };
}

function unionOf(members: readonly TypeNode[], schema: SourceValue): TypeNode {
  const [first, ...others] = members;
  const isOne = first !== undefined && others.length === 0;
  return isOne ? first : { kind: "union", mode: "any-of", members, source: schema.source };
}

function readDocumentation(schema: SourceValue): Documentation | undefined {
  const summary = schema.member("title")?.string;
  const description = schema.member("description")?.string;
  const deprecated = schema.member("deprecated")?.boolean;
  const single = schema.member("example");
  const examples = [...(single === undefined ? [] : [single]), ...listOf(schema.member("examples"))];
  if (summary === undefined && description === undefined && deprecated === undefined && examples.length === 0)
    return undefined;
  return {
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(examples.length === 0
      ? {}
      : {
          examples: examples.map(({ value }) => value as JsonValue),
          exampleSources: examples.map(({ source }) => source),
        }),
  };
}
