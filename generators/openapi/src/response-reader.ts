// OpenAPI 3.1, sections 4.8.16 (Responses Object) to 4.8.21 (Header Object).
import {
  camelCase,
  createNameAllocator,
  type Failure,
  type NameAllocator,
  pascalCase,
  type ResponseHeader,
  type Success,
} from "@nodewright/model";
import type { Located } from "@nodewright/source";
import { readContents } from "./content-reader.ts";
import type { Reading } from "./reading.ts";

export interface Answers {
  readonly successes: readonly Success[];
  readonly failures: readonly Failure[];
  /** Examples by status, then by name. */
  readonly examples: ReadonlyMap<number, ReadonlyMap<string, Located>>;
  /** Link objects of the successes. */
  readonly links: readonly (readonly [name: string, link: Located])[];
}

/** RFC 9110, section 15, and RFC 6585: how a failure is called when its status says it all. */
const statusNames: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  409: "Conflict",
  410: "Gone",
  413: "ContentTooLarge",
  415: "UnsupportedMediaType",
  422: "UnprocessableContent",
  429: "TooManyRequests",
  500: "InternalServerError",
  501: "NotImplemented",
  502: "BadGateway",
  503: "ServiceUnavailable",
  504: "GatewayTimeout",
};

export function readAnswers(reading: Reading, operation: Located): Answers {
  const successes: Success[] = [];
  const failures: Failure[] = [];
  const examples = new Map<number, ReadonlyMap<string, Located>>();
  const links: (readonly [string, Located])[] = [];
  const failureNames = createNameAllocator();
  const responses = operation.member("responses");
  for (const [status, item] of responses?.members ?? []) {
    if (status.startsWith("x-")) continue;
    const place = reading.documents.resolve(item);
    if (place === undefined) continue;
    if (!/^([1-5]([0-9]{2}|XX)|default)$/.test(status)) {
      reading.report("wrong-status", responses?.keySource(status) ?? item.source, { status });
      continue;
    }
    const content = readContents(reading, place);
    const description = reading.members.text(place, "description") ?? "";
    const headers = readHeaders(reading, place);
    const number = /^[0-9]{3}$/.test(status) ? Number(status) : undefined;
    if (number !== undefined && number < 400) {
      const [first] = content.contents;
      successes.push({
        status: number,
        headers,
        description,
        source: item.source,
        ...(first === undefined ? {} : { content: first }),
      });
      links.push(...(place.member("links")?.members ?? []));
    } else {
      const failureStatus = number ?? "default";
      failures.push({
        name: failureName(failureStatus, failureNames),
        status: failureStatus,
        message: description,
        contents: content.contents,
        headers,
        source: item.source,
      });
    }
    if (number !== undefined) examples.set(number, content.examples);
  }
  return { successes, failures, examples, links };
}

function failureName(status: number | "default", names: NameAllocator): string {
  return names.allocate(status === "default" ? "Unexpected" : (statusNames[status] ?? `Status${status}`));
}

export function readHeaders(reading: Reading, response: Located): readonly ResponseHeader[] {
  const names = createNameAllocator();
  return (response.member("headers")?.members ?? []).flatMap(([name, item]) => {
    const place = reading.documents.resolve(item);
    // Section 4.8.17.1: a header called Content-Type is ignored.
    if (place === undefined || name.toLowerCase() === "content-type") return [];
    const schema = place.member("schema");
    const description = reading.members.text(place, "description");
    const header: ResponseHeader = {
      name,
      property: names.allocate(camelCase(pascalCase(name))),
      required: reading.members.flag(place, "required") ?? false,
      type: schema === undefined ? { kind: "any", source: place.source } : reading.schemas.read(schema),
      ...(description === undefined ? {} : { documentation: { description } }),
    };
    return [header];
  });
}
