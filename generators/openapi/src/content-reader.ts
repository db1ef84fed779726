// OpenAPI 3.1, sections 4.8.13 (Request Body Object) and 4.8.14 (Media Type Object).
import type { Content, RequestBody } from "@nodewright/model";
import type { Located } from "@nodewright/source";
import { readNamedExamples } from "./parameter-reader.ts";
import type { Reading } from "./reading.ts";

export interface ContentsWithExamples {
  readonly contents: readonly Content[];
  readonly examples: ReadonlyMap<string, Located>;
}

export interface RequestBodyWithExamples {
  readonly body: RequestBody;
  readonly examples: ReadonlyMap<string, Located>;
}

/** The media types under `content`, with their examples gathered. */
export function readContents(reading: Reading, owner: Located): ContentsWithExamples {
  const contents: Content[] = [];
  const examples = new Map<string, Located>();
  for (const [mediaType, place] of owner.member("content")?.members ?? []) {
    const form = formOf(mediaType);
    if (form === undefined) {
      reading.report("unsupported-content", owner.member("content")?.keySource(mediaType) ?? place.source, {
        mediaType,
      });
      continue;
    }
    const schema = place.member("schema");
    const { source } = place;
    contents.push({
      mediaType,
      form,
      type:
        form === "binary"
          ? { kind: "bytes", source }
          : schema === undefined
            ? { kind: "any", source }
            : reading.schemas.read(schema),
    });
    for (const [name, example] of readNamedExamples(reading, place)) examples.set(name, example);
  }
  return { contents, examples };
}

export function readRequestBody(reading: Reading, operation: Located): RequestBodyWithExamples | undefined {
  const member = operation.member("requestBody");
  const place = member && reading.documents.resolve(member);
  if (place === undefined) return undefined;
  const { contents, examples } = readContents(reading, place);
  const description = reading.members.text(place, "description");
  const body: RequestBody = {
    required: reading.members.flag(place, "required") ?? false,
    contents,
    source: place.source,
    ...(description === undefined ? {} : { documentation: { description } }),
  };
  return { body, examples };
}

/** RFC 6838 and RFC 6839: a `+json` suffix is JSON too. */
function formOf(mediaType: string): Content["form"] | undefined {
  const essence = mediaType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (essence === "application/json" || essence.endsWith("+json")) return "json";
  if (essence === "application/octet-stream" || /^(image|audio|video)\//.test(essence)) return "binary";
  return essence.startsWith("text/") && essence !== "text/event-stream" ? "text" : undefined;
}
