// What answers cost in memory while those who asked for them do not read.
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryOf } from "../support/process-memory.ts";
import type { PostRequest } from "./wrk.ts";

export interface SlowReading {
  /** Length of one answer with its headers. */
  readonly responseBytes: number;
  /** Resident, in MB of 10^6 bytes: before, with all answers unread, and when they were read. */
  readonly before: number;
  readonly unread: number;
  readonly afterwards: number;
}

const unreadMilliseconds = 5_000;
const settleMilliseconds = 1_000;

/** Asks over so many connections, reads nothing for some seconds, then everything. */
export async function measureSlowReaders(
  pid: number,
  origin: string,
  request: PostRequest,
  readers: number,
): Promise<SlowReading> {
  const before = memoryOf(pid).resident / 1e6;
  const sockets = await Promise.all(Array.from({ length: readers }, () => ask(origin, request)));
  await sleep(unreadMilliseconds);
  const unread = memoryOf(pid).resident / 1e6;
  const lengths = await Promise.all(sockets.map(readToEnd));
  await sleep(settleMilliseconds);
  return { responseBytes: Math.max(...lengths), before, unread, afterwards: memoryOf(pid).resident / 1e6 };
}

async function ask(origin: string, { path, headers, body }: PostRequest): Promise<Socket> {
  const { hostname, port, host } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.pause();
  const all = { Host: host, ...headers, "Content-Length": String(Buffer.byteLength(body)), Connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
  return socket;
}

async function readToEnd(socket: Socket): Promise<number> {
  let length = 0;
  for await (const chunk of socket) length += (chunk as Buffer).length;
  return length;
}
