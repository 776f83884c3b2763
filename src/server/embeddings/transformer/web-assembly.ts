/** As much of the standard's API as is used here: the server's types have none of it. */
interface WebAssemblyApi {
  validate: (bytes: Uint8Array) => boolean;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: Record<string, Record<string, unknown>>) => { exports: unknown };
  Memory: new (size: { initial: number; maximum: number; shared: true }) => SharedMemory;
}

/** Memory that threads may share: it is passed to them by reference. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
}

export const { WebAssembly: webAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi };
