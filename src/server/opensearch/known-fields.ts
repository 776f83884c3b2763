/** As the embedded engine: fields beyond these are searched with the others, and not by name. */
const fieldsMax = 1_000;

/** The fields that an index has columns for. */
export class KnownFields {
  readonly #paths: Set<string>;

  constructor(paths: Iterable<string>) {
    this.#paths = new Set(paths);
  }

  /** Whether a field has columns, or gets them now. */
  take(path: string): boolean {
    if (this.#paths.has(path)) return true;
    if (this.#paths.size >= fieldsMax) return false;
    this.#paths.add(path);
    return true;
  }
}
