/** Properties of a file other than its bytes. */
export interface FileFacts {
  /** Name that its sender uses: not a path to be trusted. */
  readonly filename?: string;
  readonly contentType?: string;
}

/** Bytes of a file with its name and media type, wherever `Uint8Array` is expected: a part of a multipart body. */
export class FileBytes extends Uint8Array<ArrayBufferLike> {
  /** Slices of a file are plain bytes. */
  static get [Symbol.species](): Uint8ArrayConstructor {
    return Uint8Array;
  }

  /** Reads a `Blob` or `File` of the platform. */
  static async ofBlob(blob: Blob): Promise<FileBytes> {
    const filename = "name" in blob && typeof blob.name === "string" ? { filename: blob.name } : {};
    const contentType = blob.type === "" ? {} : { contentType: blob.type };
    return new FileBytes(new Uint8Array(await blob.arrayBuffer()), { ...filename, ...contentType });
  }

  readonly filename: string | undefined;
  readonly contentType: string | undefined;

  /** Creates a file that shares the memory of `bytes`. */
  constructor(bytes: Uint8Array, { filename, contentType }: FileFacts = {}) {
    super(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.filename = filename;
    this.contentType = contentType;
  }
}
