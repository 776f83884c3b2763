import { isDeepStrictEqual } from 'node:util';

export type Doc = { id: string; [field: string]: string | number };

/**
 * What the server answered, and what it was asked and had not answered when it was killed. Of the second either may be true afterwards;
 * of the first nothing may be missing and nothing may be there besides.
 */
export class Ledger {
  /** Null: deleted. */
  readonly answered = new Map<string, Doc | null>();
  readonly open = new Map<string, Doc | null>();
  readonly #together: string[][] = [];

  ask(id: string, wanted: Doc | null): void {
    this.open.set(id, wanted);
  }

  answer(id: string): void {
    this.answered.set(id, this.open.get(id) ?? null);
    this.open.delete(id);
  }

  /** What is asked of them happens to all or to none. */
  askTogether(wanted: Map<string, Doc | null>): void {
    for (const [id, doc] of wanted) this.ask(id, doc);
    this.#together.push([...wanted.keys()]);
  }

  present(ofWriter: string): Doc[] {
    return [...this.answered.values()].filter((doc): doc is Doc => doc?.['writer'] === ofWriter);
  }

  /** What contradicts the ledger in the documents found, in words. Afterwards what was found is taken as answered. */
  settle(found: Doc[]): string[] {
    const faults: string[] = [];
    const byId = new Map(found.map((doc) => [doc.id, doc]));
    if (byId.size !== found.length) faults.push(`${found.length - byId.size} documents are there twice`);
    for (const ids of this.#together.splice(0)) {
      if (this.#isHalfDone(ids, byId))
        faults.push(`what was asked of ${ids.join(', ')} together is half done`);
    }
    for (const id of new Set([...this.answered.keys(), ...this.open.keys(), ...byId.keys()])) {
      const doc = byId.get(id) ?? null;
      const answered = this.answered.get(id) ?? null;
      const isWanted = this.open.has(id) && isDeepStrictEqual(doc, this.open.get(id));
      if (!isWanted && !isDeepStrictEqual(doc, answered)) {
        const pending = this.open.has(id) ? `, or ${JSON.stringify(this.open.get(id))}` : '';
        faults.push(`${id} is ${JSON.stringify(doc)}, answered was ${JSON.stringify(answered)}${pending}`);
      }
      this.answered.set(id, doc);
    }
    this.open.clear();
    return faults;
  }

  /** Where it cannot be told from what was before, it is as good as done. */
  #isHalfDone(ids: string[], found: Map<string, Doc>): boolean {
    const outcomes = ids.flatMap((id) => {
      const wanted = this.open.get(id);
      if (wanted === undefined || isDeepStrictEqual(wanted, this.answered.get(id) ?? null)) return [];
      return isDeepStrictEqual(found.get(id) ?? null, wanted);
    });
    return new Set(outcomes).size > 1;
  }
}
