// JSON Schema 2020-12, sections 8.2 and 9.1: identifiers, anchors and references.
import {
  createReport,
  type DiagnosticReceiver,
  type DocumentSet,
  fragmentTokens,
  type SourceValue,
  type Report,
  sourceDiagnostics,
  type SourceText,
} from "@nodewright/source";
import type { jsonSchemaDiagnostics } from "./json-schema-diagnostics.ts";
import { subschemas } from "./keywords.ts";
import { officialSchema } from "./official-schemas.ts";
import {
  type DialectFacts,
  dialectFacts,
  dialectOfMetaschema,
  dialectOfUri,
  type SchemaDialect,
} from "./schema-dialect.ts";
import { decodePercents, isAbsoluteUri, resolveUri, splitFragment } from "./uri.ts";

/** A schema with its own identifier, or a document, with its anchors. */
export interface SchemaResource {
  /** Absolute URI without fragment; the file name if the document has no identifier. */
  readonly uri: string;
  readonly root: SourceValue;
  readonly dialect: DialectFacts;
  /** Schemas by plain-name anchor, including dynamic ones. */
  readonly anchors: Map<string, SourceValue>;
  /** Schemas by `$dynamicAnchor` only; `$recursiveAnchor: true` is one with an empty name. */
  readonly dynamicAnchors: Map<string, SourceValue>;
}

export interface SchemaResourcesOptions {
  readonly documents: DocumentSet;
  readonly sink: DiagnosticReceiver;
  readonly report: Report<typeof jsonSchemaDiagnostics>;
  /** Dialect of schemas without `$schema`. */
  readonly dialect: SchemaDialect;
}

interface IndexedFile {
  readonly root: SchemaResource;
  /** Whether the document may contain identifiers. Most have none and need no index. */
  readonly hasIdentifiers: boolean;
}

/** Returns the key of a place, unique among all documents of a run. */
export function placeKey({ document, pointer }: SourceValue): string {
  return `${document.file}#${pointer}`;
}

/** Index of schemas by identifier, anchor and JSON Pointer. Uses no network. */
export class SchemaResources {
  readonly #documents: DocumentSet;
  readonly #report: Report<typeof jsonSchemaDiagnostics>;
  readonly #reportSource: Report<typeof sourceDiagnostics>;
  readonly #dialect: DialectFacts;
  readonly #files = new Map<string, IndexedFile>();
  readonly #byUri = new Map<string, SchemaResource>();
  /** Resources by place of the root. */
  readonly #byPlace = new Map<string, SchemaResource>();
  readonly #indexed = new Set<string>();
  readonly #metaschemas = new Map<string, DialectFacts | undefined>();

  constructor({ documents, sink, report, dialect }: SchemaResourcesOptions) {
    this.#documents = documents;
    this.#report = report;
    this.#reportSource = createReport("source", sourceDiagnostics, sink);
    this.#dialect = dialectFacts(dialect);
  }

  #hasDynamicAnchors = false;
  #mentionsAccess = false;

  /** Whether any document read so far has schemas that `$dynamicRef` may refer to. */
  get hasDynamicAnchors(): boolean {
    return this.#hasDynamicAnchors;
  }

  /** Whether any document read so far may have properties that only one side sets. */
  get mentionsAccess(): boolean {
    return this.#mentionsAccess;
  }

  /** Indexes the identifiers of a schema, so that references from anywhere find them. */
  add(schema: SourceValue): void {
    const file = this.#file(schema);
    if (file.hasIdentifiers) this.#index(schema, this.#enclosing(schema, file));
  }

  /** Returns the resource of a schema: the one it is the root of, else the one that contains it. */
  of(schema: SourceValue): SchemaResource {
    const file = this.#file(schema);
    if (!file.hasIdentifiers) return file.root;
    this.#index(schema, this.#enclosing(schema, file));
    return this.#enclosing(schema, file);
  }

  /** Resolves a reference from a resource. Returns undefined, with a diagnostic at `place`, if it cannot be resolved. */
  resolve(place: SourceValue, from: SchemaResource): SourceValue | undefined {
    const reference = place.string;
    if (reference === undefined) {
      this.#unresolved(place, "it is not a string");
      return undefined;
    }
    const { uri, fragment } = splitFragment(reference);
    const target = uri === "" ? from : this.#resource(uri, place, from);
    if (target === undefined) return undefined;
    if (fragment === undefined || fragment === "") return target.root;
    if (!fragment.startsWith("/")) return this.#anchor(decodePercents(fragment), target, place);
    const tokens = fragmentTokens(fragment);
    if (tokens !== undefined) return this.#documents.follow(target.root, tokens, place);
    this.#unresolved(place, "the fragment is not a JSON Pointer");
    return undefined;
  }

  /** Returns the dialect that `$schema` names, else the surrounding one. */
  dialectAt(schema: SourceValue, around: DialectFacts): DialectFacts {
    const place = schema.member("$schema");
    const uri = place?.string;
    if (place === undefined || uri === undefined || around.idKeyword === undefined) return around;
    const known = dialectOfUri(uri);
    if (known !== undefined) return known;
    if (!this.#metaschemas.has(uri)) this.#metaschemas.set(uri, this.#ownDialect(uri, place));
    return this.#metaschemas.get(uri) ?? around;
  }

  #ownDialect(uri: string, place: SourceValue): DialectFacts | undefined {
    const { uri: name } = splitFragment(uri);
    this.#registerOfficial(name);
    const metaschema = this.#documents.knows(name) ? this.#documents.read(name)?.root : this.#byUri.get(name)?.root;
    const refuse = (vocabulary: string): void => this.#report("unknown-vocabulary", place.source, { vocabulary });
    return metaschema && dialectOfMetaschema(metaschema, refuse);
  }

  #anchor(name: string, resource: SchemaResource, place: SourceValue): SourceValue | undefined {
    const found = resource.anchors.get(name);
    if (found === undefined) this.#unresolved(place, `there is no anchor "${name}" in ${resource.uri}`);
    return found;
  }

  #unresolved(place: SourceValue, reason: string): void {
    this.#reportSource("unresolved-reference", place.source, {
      reference: place.string ?? String(place.value),
      reason,
    });
  }

  #resource(reference: string, place: SourceValue, from: SchemaResource): SchemaResource | undefined {
    const uri = resolveUri(from.uri, reference);
    if (uri === undefined) {
      this.#unresolved(place, `it cannot be taken from ${from.uri}`);
      return undefined;
    }
    const known = this.#byUri.get(uri);
    if (known !== undefined) return known;
    this.#registerOfficial(uri);
    if (isAbsoluteUri(uri) && !this.#documents.knows(uri)) return this.#besideDocument(reference, place);
    const document = this.#documents.read(isAbsoluteUri(uri) ? uri : decodePercents(uri), place.source);
    return document && this.#file(document.root).root;
  }

  /** Resolves a relative reference that matches no identifier as a file name, even if the document has an identifier of its own. */
  #besideDocument(reference: string, place: SourceValue): SchemaResource | undefined {
    const file = isAbsoluteUri(reference) ? undefined : resolveUri(place.document.file, reference);
    if (file === undefined || isAbsoluteUri(file)) {
      this.#reportSource("remote-reference", place.source, { reference: place.string ?? reference });
      return undefined;
    }
    const document = this.#documents.read(decodePercents(file), place.source);
    return document && this.#file(document.root).root;
  }

  #registerOfficial(uri: string): void {
    if (this.#documents.knows(uri)) return;
    const text = officialSchema(uri);
    if (text !== undefined) this.#documents.register(uri, text);
  }

  #file({ document }: SourceValue): IndexedFile {
    const known = this.#files.get(document.file);
    if (known !== undefined) return known;
    const read = this.#documents.read(document.file);
    if (read === undefined) throw new Error(`${document.file} was not read from the documents of this run`);
    const { root } = read;
    this.#mentionsAccess ||= /readOnly|writeOnly/.test(document.text);
    const resource = newResource(ownUri(root), root, this.dialectAt(root, this.#dialect));
    const file = { root: resource, hasIdentifiers: hasIdentifiers(document, resource.dialect) };
    this.#files.set(document.file, file);
    this.#byUri.set(document.file, resource);
    this.#byUri.set(resource.uri, resource);
    this.#byPlace.set(placeKey(root), resource);
    if (!file.hasIdentifiers) return file;
    for (const schema of schemaRoots(root)) this.#index(schema, resource);
    const own = this.#byPlace.get(placeKey(root)) ?? resource;
    this.#byUri.set(document.file, own);
    const indexed = { ...file, root: own };
    this.#files.set(document.file, indexed);
    return indexed;
  }

  /** Returns the resource that starts at the schema or at its nearest ancestor. */
  #enclosing(schema: SourceValue, file: IndexedFile): SchemaResource {
    let { pointer } = schema;
    for (;;) {
      const resource = this.#byPlace.get(`${schema.document.file}#${pointer}`);
      if (resource !== undefined) return resource;
      if (pointer === "") return file.root;
      pointer = pointer.slice(0, pointer.lastIndexOf("/"));
    }
  }

  #index(schema: SourceValue, enclosing: SchemaResource): void {
    const key = placeKey(schema);
    if (this.#indexed.has(key)) return;
    this.#indexed.add(key);
    const resource = this.#identified(schema, enclosing);
    for (const child of subschemas(schema)) this.#index(child, resource);
  }

  /** Returns the resource that a schema starts, else the enclosing one, and adds the anchors of this schema. */
  #identified(schema: SourceValue, enclosing: SchemaResource): SchemaResource {
    const dialect = this.dialectAt(schema, enclosing.dialect);
    const isBesideReference = dialect.refStandsAlone && schema.has("$ref");
    const place = dialect.idKeyword === undefined ? undefined : schema.member(dialect.idKeyword);
    const id = isBesideReference ? undefined : place?.string;
    const { uri, fragment } = splitFragment(id ?? "");
    const resource = uri === "" ? enclosing : this.#newResource(uri, schema, { ...enclosing, dialect });
    if (place !== undefined && fragment !== undefined && fragment !== "")
      this.#addAnchor(fragment, schema, resource, place);
    const anchor = schema.member("$anchor");
    if (anchor?.string !== undefined) this.#addAnchor(anchor.string, schema, resource, anchor);
    const dynamic = schema.member("$dynamicAnchor");
    if (dynamic?.string !== undefined) {
      this.#addAnchor(dynamic.string, schema, resource, dynamic);
      this.#dynamicName(dynamic.string, schema, resource);
    }
    if (schema.member("$recursiveAnchor")?.boolean === true) this.#dynamicName("", schema, resource);
    return resource;
  }

  #newResource(id: string, root: SourceValue, enclosing: SchemaResource): SchemaResource {
    const uri = resolveUri(enclosing.uri, id) ?? id;
    const resource = newResource(uri, root, enclosing.dialect);
    const first = this.#byUri.get(uri);
    if (first === undefined || placeKey(first.root) === placeKey(root)) this.#byUri.set(uri, resource);
    else this.#reportDuplicate(id, root.member("$id") ?? root.member("id") ?? root, first.root);
    this.#byPlace.set(placeKey(root), resource);
    return resource;
  }

  #addAnchor(name: string, schema: SourceValue, { anchors }: SchemaResource, place: SourceValue): void {
    const first = anchors.get(name);
    if (first === undefined) anchors.set(name, schema);
    else if (placeKey(first) !== placeKey(schema)) this.#reportDuplicate(`#${name}`, place, first);
  }

  #dynamicName(name: string, schema: SourceValue, { dynamicAnchors }: SchemaResource): void {
    if (!dynamicAnchors.has(name)) dynamicAnchors.set(name, schema);
    this.#hasDynamicAnchors = true;
  }

  #reportDuplicate(id: string, place: SourceValue, first: SourceValue): void {
    const { file, line } = first.source;
    this.#report("duplicate-id", place.source, { id, file, line });
  }
}

function newResource(uri: string, root: SourceValue, dialect: DialectFacts): SchemaResource {
  return { uri, root, dialect, anchors: new Map(), dynamicAnchors: new Map() };
}

/** Returns the `$self` URI of an OpenAPI 3.2 document (section 4.1.2.2), else its file name. */
function ownUri(root: SourceValue): string {
  const { file } = root.document;
  const own = root.has("openapi") ? root.member("$self")?.string : undefined;
  return own === undefined ? file : (resolveUri(file, splitFragment(own).uri) ?? file);
}

/** Returns whether a document may contain identifiers. Before draft 6 the keyword was "id", which is also a common property name. */
function hasIdentifiers({ text }: SourceText, { idKeyword }: DialectFacts): boolean {
  if (idKeyword === "id" || text.includes("json-schema.org/draft-04/")) return true;
  return /\$(?:id|anchor|dynamicAnchor|recursiveAnchor)\b/.test(text);
}

/** Returns the document itself if it is a schema, or all schemas of an API description. */
function schemaRoots(root: SourceValue): readonly SourceValue[] {
  if (!["openapi", "openrpc", "swagger"].some((name) => root.has(name))) return [root];
  const found: SourceValue[] = [];
  collectSchemas(root, found);
  return found;
}

/** Members that contain example or default values, not descriptions. */
const valueMembers: ReadonlySet<string> = new Set(["example", "examples", "default", "value"]);

function collectSchemas(place: SourceValue, found: SourceValue[]): void {
  for (const item of place.items) collectSchemas(item, found);
  for (const [name, member] of place.members) {
    if (name === "schema" || name === "itemSchema") found.push(member);
    else if (name === "schemas") found.push(...member.members.map(([, schema]) => schema));
    else if (!valueMembers.has(name)) collectSchemas(member, found);
  }
}
