/** What a file is besides its bytes. */
export interface FileFacts {
  /** As its sender calls it: no path to be trusted. */
  readonly filename?: string;
  readonly contentType?: string;
}

/** The bytes of a file with its name and media type, wherever `Uint8Array` is asked for: a part of a multipart body. */
export class FileBytes extends Uint8Array<ArrayBufferLike> {
  /** Pieces of a file are bytes and no file. */
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

  /** Shares the memory of `bytes`. */
  constructor(bytes: Uint8Array, { filename, contentType }: FileFacts = {}) {
    super(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.filename = filename;
    this.contentType = contentType;
  }
}
