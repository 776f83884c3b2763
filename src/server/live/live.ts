import { eq } from 'drizzle-orm';
import { accountName } from '#server/admission/requester.ts';
import type { RecordStore } from '#server/db/client.ts';
import { collections } from '#server/db/schema/collections.ts';
import { members, projects } from '#server/db/schema/workspaces.ts';
import type { Log } from '#server/log.ts';
import { RecentMap } from '#server/memory/recent-map.ts';
import { limits } from '#shared/limits.ts';
import { requestsNoun } from '#shared/live.ts';
import { ChangeLog, type LoggedChange } from './change-log.ts';
import { type Ending, Listener, type ListeningSession, type Told } from './listener.ts';
import { Paced } from './paced.ts';

export interface Live {
  /** Where the log of changes stands: whoever reads something now, and listens from here, misses nothing. */
  readonly position: string;
  /**
   * Tells what changes in the workspaces that the user is a member of: first what came behind the oldest of `after`, as far as it is known, then what
   * comes, until it is closed. `end` is called when there is nothing more to come.
   */
  listen(
    session: ListeningSession,
    after: readonly string[],
    parts: { tell: (told: Told) => void; end: (why: Ending) => void },
  ): Listening;
  /** How many listen. */
  readonly listening: number;
  /** That documents of a collection were changed. */
  readonly noteDocuments: (collectionId: number) => void;
  /** That an import into a collection is further than it was, or over. */
  readonly noteImports: (collectionId: number) => void;
  /** That there are new requests to these workspaces. They are many, so this is not kept: whoever begins to listen asks for them anyway. */
  tellRequests(workspaceIds: readonly number[]): void;
  /** Ends all streams; whoever had one goes on elsewhere. */
  stop(): void;
}

interface Listening {
  /** Resolves when what came behind `after` has been told. */
  begun: Promise<void>;
  close(): void;
}

/** How often an import's writes, and how far it is, are told of. */
const everyMs = 1_000;
/** Collections whose workspace is remembered. */
const placesMax = 10_000;

export function createLive({ record, log }: { record: RecordStore; log: Log }): Live {
  const changes = new ChangeLog(limits.liveChangesMax);
  const places = new RecentMap<number>({ entriesMax: placesMax });
  const listeners = new Set<{ listener: Listener; end: (why: Ending) => void }>();
  const pacedOf = (kind: 'documents' | 'imports') =>
    new Paced<number>({
      everyMs,
      tell(id) {
        record.tellServers({ kind, ids: [id] });
        void tell(kind, id);
      },
    });
  const documents = pacedOf('documents');
  const imports = pacedOf('imports');
  const tellOfRequests = (workspaceIds: readonly number[]) => {
    const { position } = changes;
    for (const workspaceId of workspaceIds) {
      const change = { workspaceId, noun: requestsNoun, id: null, requestId: null };
      for (const { listener } of listeners) listener.take({ position, change });
    }
  };

  async function tell(noun: string, id: number): Promise<void> {
    try {
      const workspaceId = places.get(String(id)) ?? (await workspaceOf(record, id));
      if (workspaceId === null) return;
      places.set(String(id), workspaceId);
      changes.append({ workspaceId, noun, id, requestId: null });
    } catch (error) {
      log.debug('a change in a collection is told as one that is not known', { error });
      changes.breakOff();
    }
  }

  record.onAct((act) => {
    if (act === null) return changes.breakOff();
    const { workspaceId, action, targetId: id, requestId } = act;
    changes.append({ workspaceId, noun: action.split('.', 1)[0] ?? action, id, requestId });
  });
  record.onNews((news) => {
    // What was not heard, is told as acts that were not.
    if (news === null) return;
    const { kind, ids } = news;
    if (kind === 'requests') tellOfRequests(ids);
    if (kind === 'documents' || kind === 'imports') for (const id of ids) void tell(kind, id);
  });
  record.onChange((change) => {
    for (const { listener } of listeners) listener.hear(change);
  });
  changes.listen((logged: LoggedChange | null) => {
    for (const { listener } of listeners) listener.take(logged);
  });

  return {
    get position() {
      return changes.position;
    },
    get listening() {
      return listeners.size;
    },
    noteDocuments: (collectionId) => documents.note(collectionId),
    noteImports: (collectionId) => imports.note(collectionId),
    tellRequests(workspaceIds) {
      record.tellServers({ kind: 'requests', ids: [...workspaceIds] });
      tellOfRequests(workspaceIds);
    },
    listen(session, after, parts) {
      const end = (why: Ending) => {
        if (listeners.delete(entry)) parts.end(why);
      };
      const { userId } = session;
      const readThem = () => readWorkspaces(record.as(accountName(userId)), userId);
      const listener = new Listener({ session, changes, tell: parts.tell, end, readWorkspaces: readThem });
      const entry = { listener, end };
      // Before what is behind `after` is read: nothing can come between.
      listeners.add(entry);
      return { begun: listener.begin(after), close: () => void listeners.delete(entry) };
    },
    stop() {
      documents.stop();
      imports.stop();
      for (const { end } of listeners) end('again');
    },
  };
}

async function workspaceOf({ db }: RecordStore, collectionId: number): Promise<number | null> {
  const [row] = await db
    .select({ workspaceId: projects.workspaceId })
    .from(collections)
    .innerJoin(projects, eq(projects.id, collections.projectId))
    .where(eq(collections.id, collectionId));
  return row?.workspaceId ?? null;
}

async function readWorkspaces(record: RecordStore, userId: number): Promise<ReadonlySet<number>> {
  const rows = await record.db
    .select({ id: members.workspaceId })
    .from(members)
    .where(eq(members.userId, userId));
  return new Set(rows.map(({ id }) => id));
}
