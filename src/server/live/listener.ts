import type { RecordChange } from '#server/db/client.ts';
import type { LiveChange } from '#shared/live.ts';
import type { ChangeLog, LoggedChange } from './change-log.ts';

/** Who listens: a session of a user. */
export interface ListeningSession {
  userId: number;
  /** The stored (hashed) id. */
  sessionId: string;
}

/** What a listener is told; `position`: where the log stands behind it. */
export type Told =
  | { kind: 'ready' | 'reset'; position: string }
  | { kind: 'change'; position: string; change: LiveChange };

/** Why nothing more is told: the session is over, or it has to be asked for again. */
export type Ending = 'session' | 'again';

interface ListenerOptions {
  session: ListeningSession;
  changes: Pick<ChangeLog, 'position' | 'since'>;
  /** Those that the user is a member of. */
  readWorkspaces: () => Promise<ReadonlySet<number>>;
  tell: (told: Told) => void;
  end: (why: Ending) => void;
}

/** Passes on what changes in a user's own workspaces, in its order, from a position on. */
export class Listener {
  readonly #options: ListenerOptions;
  #workspaces: ReadonlySet<number> = new Set();
  /** What came while it is read whose workspaces these are; null: that is known. */
  #waiting: (LoggedChange | null)[] | null = [];

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  /** @throws what reading the workspaces throws */
  async begin(after: readonly string[]): Promise<void> {
    const { changes } = this.#options;
    const { position } = changes;
    const oldest = oldestOf(after, changes);
    await this.#settle(() => {
      const { tell } = this.#options;
      if (oldest === null) tell({ kind: 'reset', position });
      else tell({ kind: 'ready', position: oldest.position });
      for (const logged of oldest?.missed ?? []) this.#pass(logged);
    });
  }

  /** Null: some changes cannot be told. */
  take(logged: LoggedChange | null): void {
    if (this.#waiting) this.#waiting.push(logged);
    else this.#pass(logged);
  }

  /** What callers are known by has changed. */
  hear({ kind, id }: RecordChange): void {
    const { session, end } = this.#options;
    if (kind === 'session' && id === session.sessionId) end('session');
    if (kind === 'all' || kind === 'unheard') end('again');
    if (kind === 'member' && Number(id) === session.userId) void this.#learnAnew();
  }

  /** What has changed in a workspace that is seen for the first time cannot be told. */
  async #learnAnew(): Promise<void> {
    if (this.#waiting) return this.#options.end('again');
    this.#waiting = [];
    const { changes, tell, end } = this.#options;
    try {
      await this.#settle(() => tell({ kind: 'reset', position: changes.position }));
    } catch {
      end('again');
    }
  }

  async #settle(first: () => void): Promise<void> {
    this.#workspaces = await this.#options.readWorkspaces();
    first();
    for (const logged of this.#waiting?.splice(0) ?? []) this.#pass(logged);
    this.#waiting = null;
  }

  #pass(logged: LoggedChange | null): void {
    const { tell, changes } = this.#options;
    if (logged === null) tell({ kind: 'reset', position: changes.position });
    else if (this.#workspaces.has(logged.change.workspaceId)) tell({ kind: 'change', ...logged });
  }
}

/** The position that most came behind, and what; of none the newest. Null: of one it is not known any more. */
function oldestOf(
  positions: readonly string[],
  changes: ListenerOptions['changes'],
): { position: string; missed: LoggedChange[] } | null {
  let oldest = { position: changes.position, missed: [] as LoggedChange[] };
  for (const position of positions) {
    const missed = changes.since(position);
    if (missed === null) return null;
    if (missed.length >= oldest.missed.length) oldest = { position, missed };
  }
  return oldest;
}
