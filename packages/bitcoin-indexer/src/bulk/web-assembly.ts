/** Part of WebAssembly's interface that is used here: the types of Node.js leave it to those of browsers. */
interface WebAssemblyInterface {
  readonly Memory: new (limits: { initial: number; maximum: number; shared: true }) => SharedMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly host: { readonly memory: SharedMemory } },
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}

/** A memory shared by several threads and WebAssembly; it can be sent to other threads. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
}

export const webAssembly: WebAssemblyInterface = (globalThis as unknown as { WebAssembly: WebAssemblyInterface })
  .WebAssembly;
