import { randomUUID } from 'node:crypto';
import type { LiveChange } from '#shared/live.ts';

export interface LoggedChange {
  /** Where the log stands behind it. It says nothing of how many changes there were, since others' are among them. */
  position: string;
  change: LiveChange;
}

/** Null: some changes cannot be told. */
export type ChangeListener = (logged: LoggedChange | null) => void;

/**
 * The last changes of all workspaces, in the order in which they were heard. A position is known as long as all that came behind it is kept: not in
 * another process, nor after a moment when something may not have been heard.
 */
export class ChangeLog {
  readonly #changesMax: number;
  readonly #listeners = new Set<ChangeListener>();
  /** By the position behind each, oldest first; the first one's change is not kept. */
  readonly #changes = new Map<string, LiveChange | null>();
  #position = '';

  constructor(changesMax: number) {
    this.#changesMax = changesMax;
    this.#begin();
  }

  get position(): string {
    return this.#position;
  }

  append(change: LiveChange): void {
    this.#add(change);
    const [oldest] = this.#changes.keys();
    if (this.#changes.size > this.#changesMax + 1 && oldest !== undefined) this.#changes.delete(oldest);
    this.#tell({ position: this.#position, change });
  }

  /** Something may not have been heard: no position of before can be gone on from. */
  breakOff(): void {
    this.#begin();
    this.#tell(null);
  }

  /** What came behind a position, oldest first; null: that is not known any more. */
  since(position: string): LoggedChange[] | null {
    if (position === this.#position) return [];
    if (!this.#changes.has(position)) return null;
    const missed: LoggedChange[] = [];
    let isBehind = false;
    for (const [own, change] of this.#changes) {
      if (isBehind && change) missed.push({ position: own, change });
      isBehind ||= own === position;
    }
    return missed;
  }

  /** Answers how to stop listening. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #begin(): void {
    this.#changes.clear();
    this.#add(null);
  }

  #add(change: LiveChange | null): void {
    this.#position = randomUUID();
    this.#changes.set(this.#position, change);
  }

  #tell(logged: LoggedChange | null): void {
    for (const listener of this.#listeners) listener(logged);
  }
}
