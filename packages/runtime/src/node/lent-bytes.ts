// Memory for large answers that is used again once they are sent. V8 counts the bytes of each buffer that is made, and looks through its
// whole heap after so many: answers of a hundred kilobytes would cost as much in that as in what makes them.

/** Below that, buffers are let go of. */
const smallest = 16 * 1024;
const largest = 1024 * 1024;

/** Of all buffers that nobody has at present. */
const mostKept = 16 * 1024 * 1024;

/** By their lengths, powers of two. */
const kept = new Map<number, Buffer[]>();
let keptBytes = 0;

/** The buffers that bytes are lent from. */
const owners = new WeakMap<Uint8Array, Buffer>();

/** Bytes of any content, which the borrower has alone until they are given back. They need not be: then they are the garbage collector's. */
export function lendBytes(length: number): Uint8Array {
  if (length < smallest || length > largest) return Buffer.allocUnsafeSlow(length);
  const capacity = 2 ** Math.ceil(Math.log2(length));
  const buffer = takeKept(capacity) ?? Buffer.allocUnsafeSlow(capacity);
  const bytes = buffer.subarray(0, length);
  owners.set(bytes, buffer);
  return bytes;
}

/** Says that nobody reads or writes these bytes any more. Others than lent ones, and those given back before, are passed over. */
export function giveBack(bytes: Uint8Array): void {
  const buffer = owners.get(bytes);
  if (buffer === undefined) return;
  owners.delete(bytes);
  if (keptBytes + buffer.length > mostKept) return;
  const buffers = kept.get(buffer.length);
  if (buffers === undefined) kept.set(buffer.length, [buffer]);
  else buffers.push(buffer);
  keptBytes += buffer.length;
}

/** Whether bytes are lent at present. */
export function isLent(bytes: unknown): bytes is Uint8Array {
  return bytes instanceof Uint8Array && owners.has(bytes);
}

function takeKept(capacity: number): Buffer | undefined {
  const buffer = kept.get(capacity)?.pop();
  if (buffer !== undefined) keptBytes -= buffer.length;
  return buffer;
}
