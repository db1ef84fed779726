import type { RecordedExchange } from "../contract/exchange.ts";
import type { CaseReport, Report } from "../contract/report.ts";

/**
 * Renders the traffic of a run as an HTTP archive 1.2: an entry for each request, with the case as its comment. Bodies are cut as in the
 * report.
 */
export function renderHar(report: Report): string {
  const entries = report.cases
    .flatMap((one) => one.exchanges.map((exchange) => ({ one, exchange })))
    .toSorted((left, right) => left.exchange.startedAt.localeCompare(right.exchange.startedAt))
    .map(({ one, exchange }) => entryOf(one, exchange));
  const log = {
    version: "1.2",
    creator: { name: report.tool.name, version: report.tool.version },
    comment: `${report.suite.title} ${report.suite.version} at ${report.baseUrl}, seed ${report.seed}`,
    entries,
  };
  return `${JSON.stringify({ log }, undefined, 1)}\n`;
}

function entryOf({ id, verdict }: CaseReport, exchange: RecordedExchange): object {
  const { startedAt, milliseconds, response, trouble } = exchange;
  return {
    startedDateTime: startedAt,
    time: milliseconds,
    request: requestOf(exchange),
    response: responseOf(response),
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    comment: `${id}: ${verdict}${trouble === undefined ? "" : `; ${trouble}`}`,
  };
}

function requestOf({ method, url, headers, body }: RecordedExchange): object {
  const query = URL.parse(url)?.searchParams ?? new URLSearchParams();
  return {
    method,
    url,
    httpVersion: "HTTP/1.1",
    cookies: [],
    headers: pairs(Object.entries(headers)),
    queryString: pairs([...query]),
    headersSize: -1,
    bodySize: body === undefined ? 0 : Buffer.byteLength(body),
    ...(body === undefined
      ? {}
      : { postData: { mimeType: headers["content-type"] ?? "application/octet-stream", params: [], text: body } }),
  };
}

/** Returns the response of an entry, with status 0 when there was none. */
function responseOf(response: RecordedExchange["response"]): object {
  const headers = response?.headers ?? {};
  return {
    status: response?.status ?? 0,
    statusText: "",
    httpVersion: "HTTP/1.1",
    cookies: [],
    headers: pairs(Object.entries(headers)),
    content: {
      size: response?.size ?? 0,
      mimeType: headers["content-type"] ?? "x-unknown",
      text: response?.body ?? "",
    },
    redirectURL: headers["location"] ?? "",
    headersSize: -1,
    bodySize: response?.size ?? -1,
  };
}

function pairs(entries: readonly (readonly [string, string])[]): readonly object[] {
  return entries.map(([name, value]) => ({ name, value }));
}
