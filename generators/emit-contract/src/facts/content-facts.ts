import {
  additionalOf,
  type ApiModel,
  type Content,
  type ContentForm,
  type Parameter,
  type PropertyEncoding,
  type TypeNode,
} from "@nodewright/model";
import { type Decoding, decodingOf, type ScalarDecoding, scalarOf, shapesOf } from "./decoding.ts";

/** The runtime's `PropertyFacts`. A type, not an interface, so that it is a JSON value. */
export type PropertyFacts = {
  readonly name: string;
  readonly form: "text" | "json" | "binary";
  readonly decoding?: Decoding;
  readonly isRepeated?: boolean;
  readonly contentType?: string;
  readonly style?: Parameter["style"];
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
};

/** The runtime's `ContentFacts`. A type, not an interface, so that it is a JSON value. */
export type ContentFacts = FormFacts & {
  readonly mediaType: string;
  readonly form: ContentForm;
  readonly decoding?: ScalarDecoding;
};

type FormFacts = {
  readonly properties?: readonly PropertyFacts[];
  readonly additional?: PropertyFacts;
};

/** Returns the facts about a body that the runtime needs: its `ContentFacts`. */
export function contentFacts(content: Content, model: ApiModel): ContentFacts {
  const { mediaType, form, type } = content;
  const decoding = form === "text" ? scalarOf(type, model) : "string";
  const isForm = form === "form" || form === "multipart";
  return {
    mediaType,
    form,
    ...(decoding === "string" ? {} : { decoding }),
    ...(form === "event-stream" && isText(type, model) ? { decoding: "string" } : {}),
    ...(isForm ? formFacts(content, model) : {}),
  };
}

/** Returns whether the data of an event is plain text instead of JSON: nothing else is known about it. */
function isText(type: TypeNode, model: ApiModel): boolean {
  return shapesOf(type, model).every(
    (shape) =>
      shape.kind === "string" ||
      shape.kind === "any" ||
      (shape.kind === "enumeration" && shape.values.every((value) => typeof value === "string")),
  );
}

function formFacts(content: Content, model: ApiModel): FormFacts {
  const records = shapesOf(content.type, model).filter((shape) => shape.kind === "record");
  const types = new Map(records.flatMap(({ members }) => members).map(({ name, type }) => [name, type]));
  const others = records.map(additionalOf).filter(({ kind }) => kind !== "any" && kind !== "never");
  const [additional] = others;
  return {
    properties: [...types].map(([name, type]) => propertyFacts(name, type, content, model)),
    ...(additional === undefined ? {} : { additional: propertyFacts("", additional, content, model) }),
  };
}

/**
 * Returns the facts about a form property (OpenAPI 3.1, section 4.8.15.1): with `style`, `explode` or `allowReserved` as in a query,
 * otherwise by content type.
 */
function propertyFacts(name: string, type: TypeNode, content: Content, model: ApiModel): PropertyFacts {
  const encoding = encodingOf(content, name);
  const { contentType, style, explode, allowReserved } = encoding;
  const isStyled = style !== undefined || explode !== undefined || allowReserved !== undefined;
  if (isStyled && contentType === undefined) {
    return {
      name,
      form: "text",
      ...withDecoding(decodingOf(type, model)),
      ...(style === undefined || style === "form" ? {} : { style }),
      ...(explode === undefined || explode === ((style ?? "form") === "form") ? {} : { explode }),
      ...(allowReserved === true ? { allowReserved } : {}),
    };
  }
  const shapes = shapesOf(type, model);
  const lists = shapes.filter((shape) => shape.kind === "list");
  const isRepeated = lists.length > 0 && !isDocumentType(contentType);
  const parts = isRepeated
    ? [
        ...lists.flatMap(({ prefix = [], element }) => [...prefix, element]).flatMap((one) => shapesOf(one, model)),
        ...shapes.filter((shape) => shape.kind !== "list"),
      ]
    : shapes;
  const form = partForm(parts, contentType);
  return {
    name,
    form,
    ...(form === "text" ? withDecoding(textDecoding(parts, type, model)) : {}),
    ...(isRepeated ? { isRepeated } : {}),
    ...(contentType === undefined ? {} : { contentType }),
  };
}

function encodingOf({ encoding }: Content, name: string): PropertyEncoding {
  return encoding !== undefined && Object.hasOwn(encoding, name) ? (encoding[name] ?? {}) : {};
}

/** Returns the decoding of text parts. */
function textDecoding(parts: readonly TypeNode[], { source }: TypeNode, model: ApiModel): Decoding {
  return scalarOf({ kind: "union", mode: "any-of", members: parts, source }, model);
}

function withDecoding(decoding: Decoding): Pick<PropertyFacts, "decoding"> {
  return decoding === "string" ? {} : { decoding };
}

/** Returns the form of one part: structures as JSON, bytes as they are, everything else as text. */
function partForm(shapes: readonly TypeNode[], contentType: string | undefined): "text" | "json" | "binary" {
  if (isDocumentType(contentType)) return "json";
  if (shapes.some(({ kind }) => kind === "bytes")) return "binary";
  if (contentType !== undefined && isTextType(contentType)) return "text";
  const isStructure = shapes.some(({ kind }) => kind === "record" || kind === "list" || kind === "any");
  return isStructure && contentType === undefined ? "json" : "text";
}

function isDocumentType(contentType: string | undefined): boolean {
  return contentType !== undefined && /^[^;,]*\/(?:[^;,]*\+)?json\s*(?:;|,|$)/i.test(contentType);
}

function isTextType(contentType: string): boolean {
  return /^text\//i.test(contentType);
}
