import type { ContentForm } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { bodyForm, type BodyShape, essenceOf, isFileType, isMediaType, isSequence } from "./media-type.ts";
import { suggestion } from "./parameter-style.ts";
import { forbiddenCharacter, pathParametersOf, shapeOf } from "./path-template.ts";

const shapes: readonly BodyShape[] = ["text", "scalar", "bytes", "structure", "unknown"];

/** Returns the form of bodies of each shape, with `!` where the form cannot represent what the schema describes. */
function formsOf(mediaType: string): string {
  return shapes
    .map((shape) => bodyForm(mediaType, shape))
    .map(({ form, isOpaque }) => `${form}${isOpaque ? "!" : ""}`)
    .join(" ");
}

describe("how a body is written", () => {
  it.each<[ContentForm, readonly string[]]>([
    [
      "json",
      [
        "application/json",
        "APPLICATION/JSON; charset=utf-8",
        "text/json",
        "text/x-json",
        "application/x-json",
        "application/*+json",
        "application/problem+json",
        "image/x+json",
      ],
    ],
    [
      "json-lines",
      [
        "application/jsonl",
        "application/x-jsonl",
        "application/jsonlines",
        "application/x-jsonlines",
        "application/json-lines",
        "application/ndjson",
        "application/x-ndjson",
        "application/json-seq",
        "application/geo+json-seq",
        "application/vnd.example+json-seq",
      ],
    ],
    ["event-stream", ["text/event-stream", "text/event-stream;charset=utf-8"]],
    ["form", ["application/x-www-form-urlencoded"]],
    ["multipart", ["multipart/form-data", "multipart/mixed; boundary=a"]],
  ])("is %s by the name of its media type, whatever the schema", (form, mediaTypes) => {
    for (const mediaType of mediaTypes)
      expect([mediaType, formsOf(mediaType)]).toEqual([mediaType, shapes.map(() => form).join(" ")]);
    expect(mediaTypes.map((mediaType) => isFileType(mediaType))).toEqual(mediaTypes.map(() => false));
    expect(isSequence(form)).toBe(form === "event-stream" || form === "json-lines");
  });

  it.each([
    "text/plain",
    "text/x",
    "application/xml",
    "application/atom+xml",
    "application/yaml",
    "application/x-yml",
    "text/csv",
    "text/tab-separated-values",
    "application/html",
    "application/graphql",
    "application/javascript",
    "application/sql",
    "application/toml",
    "application/rtf",
    "application/jwt",
    "application/jose",
    "message/http",
    "application/n-triples",
    "application/turtle",
    "application/sparql-query",
    "application/vnd.example.xml",
  ])("is the text of %s, unread where the schema has members", (mediaType) => {
    expect(formsOf(mediaType)).toBe("text text binary text! text");
    expect(isFileType(mediaType)).toBe(false);
  });

  it.each([
    "image/png",
    "audio/ogg",
    "video/mp4",
    "font/woff2",
    "model/stl",
    "application/octet-stream",
    "application/pdf",
    "application/zip",
    "application/gzip",
    "application/x-gzip",
    "application/x-tar",
    "application/x-7z-compressed",
    "application/cbor",
    "application/msgpack",
    "application/x-msgpack",
    "application/protobuf",
    "application/x-protobuf",
    "application/x-thrift",
    "application/avro",
    "application/avro-binary",
    "application/wasm",
    "application/java-archive",
    "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    "application/msword",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/x-sqlite3",
    "application/epub",
    "application/pkcs8",
    "application/x-pkcs12",
    "application/pkix-cert",
  ])("is the bytes of %s, unread where the schema has values", (mediaType) => {
    expect(formsOf(mediaType)).toBe("text binary! binary binary! binary");
    expect(isFileType(mediaType)).toBe(true);
  });

  it.each(["application/vnd.example", "application/xmlx", "application/documents", "*/*", "x/image/png"])(
    "is what the schema says where %s leaves it open",
    (mediaType) => {
      expect(formsOf(mediaType)).toBe("text json binary json binary");
    },
  );

  it("is bytes for a picture that is written as text, where nothing says more", () => {
    expect(formsOf("image/svg+xml")).toBe("text text binary text! binary");
  });
});

describe("a media type", () => {
  it("is known without its parameters and case", () => {
    expect(["Text/Plain; a=b", " text/plain ", "text/plain;", ""].map(essenceOf)).toEqual([
      "text/plain",
      "text/plain",
      "text/plain",
      "",
    ]);
  });

  it("has two names of the characters that RFC 9110 allows, and parameters", () => {
    for (const text of ["a/b", "*/*", "text/*", "application/vnd.a-b+json", "a/b; c=d", "a/b ;c", "a!#$&^_.+-/b"])
      expect([text, isMediaType(text)]).toEqual([text, true]);
    for (const text of ["", "a", "a/", "/b", "a/b/c", "a b/c", "a/b c", " a/b", "a/(b)", "a/b, c/d"])
      expect([text, isMediaType(text)]).toEqual([text, false]);
  });

  it("is of a file where one of several is neither text nor JSON", () => {
    expect(["image/png, text/plain", "text/plain,image/png"].map(isFileType)).toEqual([true, true]);
    expect(["text/plain, application/json", "text/html"].map(isFileType)).toEqual([false, false]);
  });
});

describe("a path", () => {
  it("has holes in braces", () => {
    expect(pathParametersOf("/a/{b}/{c-d}.{e}")).toEqual(["b", "c-d", "e"]);
    expect(["/a", "/{}", "/{a", "/a}"].map(pathParametersOf)).toEqual([[], [], [], []]);
    expect(pathParametersOf("/{{a}}")).toEqual(["a"]);
  });

  it("has the shape of all that match the same requests", () => {
    expect(["/a/{b}", "/a/{longer}", "/a/{}"].map(shapeOf)).toEqual(["/a/{}", "/a/{}", "/a/{}"]);
    expect(shapeOf("/{a}/b/{c}")).toBe("/{}/b/{}");
  });

  it("ends before a query or a fragment, but in its holes", () => {
    expect(["/a?b", "/a#b", "/a/{b?}", "/a/{#}/c", "/a"].map(forbiddenCharacter)).toEqual([
      "?",
      "#",
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("a suggestion", () => {
  it("is a name that differs in case, or by a letter or two", () => {
    const names = ["form", "Simple", "deepObject", "simples"];
    expect(suggestion("FORM", names)).toBe(' (did you mean "form"?)');
    expect(suggestion("frm", names)).toBe(' (did you mean "form"?)');
    expect(suggestion("deepobjekt", names)).toBe(' (did you mean "deepObject"?)');
    expect(suggestion("simple", ["simples", "Simple"])).toBe(' (did you mean "Simple"?)');
    expect(suggestion("deepobjx", names)).toBe("");
    expect(suggestion("form", names)).toBe("");
    expect(suggestion("form", [])).toBe("");
  });

  it("is looked for among the first thousand names", () => {
    const names = (count: number) => [...Array.from({ length: count }, (_, index) => `other-name-${index}`), "form"];
    expect(suggestion("forn", names(999))).not.toBe("");
    expect(suggestion("forn", names(1000))).toBe("");
  });
});
