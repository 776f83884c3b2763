const piecesMax = 1_024;

/** A long text that comes in small pieces: O(length), however many they are. */
export class TextPieces {
  #small: string[] = [];
  #large: string[] = [];

  get isEmpty(): boolean {
    return this.#small.length === 0 && this.#large.length === 0;
  }

  add(piece: string): void {
    this.#small.push(piece);
    if (this.#small.length === piecesMax) this.#large.push(this.#joined());
  }

  /** All of it; it is empty afterwards. */
  take(): string {
    const rest = this.#joined();
    if (this.#large.length === 0) return rest;
    const text = this.#large.join('') + rest;
    this.#large = [];
    return text;
  }

  #joined(): string {
    const text = this.#small.join('');
    this.#small = [];
    return text;
  }
}
