import { connect } from "node:net";

/** An answer as it came over the socket. */
export interface RawAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Status lines before the last, such as that of 100 Continue. */
  readonly before: readonly string[];
}

const patienceMilliseconds = 20_000;

/**
 * Sends bytes as they are and reads what comes until the other side closes. Whoever sends `connection: close` gets one answer.
 * Rejects when nothing came at all.
 */
export async function sendRaw(origin: string, bytes: string | Buffer): Promise<RawAnswer> {
  const received = await exchange(origin, bytes);
  const before: string[] = [];
  let rest = received;
  while (/^HTTP\/1\.1 1\d\d /.test(rest)) {
    const end = rest.indexOf("\r\n\r\n");
    before.push(rest.slice(0, rest.indexOf("\r\n")));
    rest = rest.slice(end + 4);
  }
  const end = rest.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = rest.slice(0, end).split("\r\n");
  const headers = lines.map(
    (line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()] as const,
  );
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: new Map(headers),
    body: rest.slice(end + 4),
    before,
  };
}

/** A POST of JSON as most clients write it, which ends its connection. */
export function rawPost(target: string, body: string | Buffer, ...headers: readonly string[]): Buffer {
  const bytes = Buffer.from(body as string);
  const lines = [`POST ${target} HTTP/1.1`, "host: localhost", "connection: close", ...headers];
  return Buffer.concat([
    Buffer.from(`${lines.join("\r\n")}\r\ncontent-length: ${bytes.length}\r\n\r\n`, "latin1"),
    bytes,
  ]);
}

function exchange(origin: string, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(new URL(origin).port), "127.0.0.1", () => socket.write(bytes));
    socket.setTimeout(patienceMilliseconds, () => socket.destroy(new Error("Nothing came for long")));
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", (error) => (chunks.length === 0 ? reject(error) : undefined));
    socket.on("close", () => {
      if (chunks.length === 0) reject(new Error("Closed without an answer"));
      else resolve(Buffer.concat(chunks).toString());
    });
  });
}
