// Buffer pool for large responses, reused once they are sent. V8 counts the bytes of each new buffer, and scans its complete heap after a
// certain amount: for responses of a hundred kilobytes that would cost as much as their creation.

/** Length below which buffers are not pooled. */
const smallest = 16 * 1024;
const largest = 1024 * 1024;

/** Maximum bytes of all idle buffers. */
const maximumIdleBytes = 16 * 1024 * 1024;

/** Idle buffers by their lengths, powers of two. */
const kept = new Map<number, Buffer[]>();
let keptBytes = 0;

/** Buffers that acquired bytes belong to. */
const owners = new WeakMap<Uint8Array, Buffer>();

/**
 * Acquires bytes of any content, for exclusive use until they are released. A release is optional: otherwise they are garbage-collected.
 */
export function acquireBytes(length: number): Uint8Array {
  if (length < smallest || length > largest) return Buffer.allocUnsafeSlow(length);
  const capacity = 2 ** Math.ceil(Math.log2(length));
  const buffer = takeKept(capacity) ?? Buffer.allocUnsafeSlow(capacity);
  const bytes = buffer.subarray(0, length);
  owners.set(bytes, buffer);
  return bytes;
}

/** Releases bytes, which are no longer read or written. Bytes that were not acquired, or are already released, are ignored. */
export function releaseBytes(bytes: Uint8Array): void {
  const buffer = owners.get(bytes);
  if (buffer === undefined) return;
  owners.delete(bytes);
  if (keptBytes + buffer.length > maximumIdleBytes) return;
  const buffers = kept.get(buffer.length);
  if (buffers === undefined) kept.set(buffer.length, [buffer]);
  else buffers.push(buffer);
  keptBytes += buffer.length;
}

/** Returns whether bytes are currently acquired. */
export function isPooled(bytes: unknown): bytes is Uint8Array {
  return bytes instanceof Uint8Array && owners.has(bytes);
}

function takeKept(capacity: number): Buffer | undefined {
  const buffer = kept.get(capacity)?.pop();
  if (buffer !== undefined) keptBytes -= buffer.length;
  return buffer;
}
