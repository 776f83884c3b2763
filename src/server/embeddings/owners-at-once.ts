/** So many requests are under way at once, and of one account as many as it leaves free to others. */
export class OwnersAtOnce {
  readonly #atOnceMax: number;
  readonly #ofOwner = new Map<string, number>();
  #atOnce = 0;

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax;
  }

  /** Whether this account may begin one more; then it ends it, too. */
  begin(owner: string): boolean {
    const own = this.#ofOwner.get(owner) ?? 0;
    if (own >= this.#atOnceMax - this.#atOnce) return false;
    this.#ofOwner.set(owner, own + 1);
    this.#atOnce += 1;
    return true;
  }

  end(owner: string): void {
    const own = (this.#ofOwner.get(owner) ?? 0) - 1;
    if (own <= 0) this.#ofOwner.delete(owner);
    else this.#ofOwner.set(owner, own);
    this.#atOnce -= 1;
  }
}
