import { sql as statement } from 'drizzle-orm';
import type { Sql } from 'postgres';
import type { Log } from '#server/log.ts';
import type { Database, HeardAct, OpenedDatabase, RecordChange, ServerNews } from './client.ts';
import { keepConnection } from './kept-connection.ts';

/**
 * Tells what was changed of the rows that callers are known by. Triggers in the record note it, whoever writes and however: for this
 * server's transactions the list is asked for before each commit and told right after it, for everybody else's it comes on a channel.
 */
export interface Changes {
  /** Runs a transaction. What it changed is told before it resolves, also when nobody knows whether its commit went through. */
  write<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T>;
  onChange(listener: (change: RecordChange) => void): void;
  onAct(listener: (act: HeardAct | null) => void): void;
  onNews(listener: (news: ServerNews | null) => void): void;
  /** Whether what others change is heard of just now. */
  hears(): boolean;
  /** Answers when the database does, on the connection that hears of changes. */
  pulse(): Promise<unknown>;
  close(): Promise<void>;
}

const channel = 'vectora_changes';
const actsChannel = 'vectora_acts';
const newsChannel = 'vectora_news';
/** This server's last transactions, by their ids in Postgres: what the channel says of them has been told. */
const ownMax = 1_000;

export async function watchChanges(parts: {
  target: OpenedDatabase['target'];
  /** This server's number: its own news are not told to it. */
  own: number;
  log: Log;
}): Promise<Changes> {
  const { target, log } = parts;
  const listeners: ((change: RecordChange) => void)[] = [];
  const actListeners: ((act: HeardAct | null) => void)[] = [];
  const tellAct = (act: HeardAct | null) => {
    for (const listener of actListeners) listener(act);
  };
  const newsListeners: ((news: ServerNews | null) => void)[] = [];
  const tellNews = (news: ServerNews | null) => {
    for (const listener of newsListeners) listener(news);
  };
  const own = new Set<string>();
  const tell = (changes: RecordChange[]) => {
    for (const change of changes) for (const listener of listeners) listener(change);
  };

  function noteOwn(transaction: string): void {
    own.add(transaction);
    const [oldest] = own;
    if (own.size > ownMax && oldest !== undefined) own.delete(oldest);
  }

  const connection = keepConnection({
    target,
    log,
    establish: async (sql) => {
      await sql.unsafe(`listen ${channel}`);
      await sql.unsafe(`listen ${actsChannel}`);
      await sql.unsafe(`listen ${newsChannel}`);
      return true;
    },
    onLost: () => log.debug('the connection that hears of changes is lost'),
    // What was changed meanwhile, nobody heard.
    onRegained: () => {
      tell([{ kind: 'unheard', id: '' }]);
      tellAct(null);
      tellNews(null);
    },
    onNotify(of, payload) {
      if (of === actsChannel) return tellAct(toAct(payload));
      if (of === newsChannel) {
        const news = toNews(payload);
        if (news?.server !== parts.own) tellNews(news);
        return;
      }
      const [transaction = '', change = ''] = payload.split(' ');
      if (!own.has(transaction)) tell([toChange(change)]);
    },
  });
  try {
    await connection.open();
  } catch (error) {
    await connection.close();
    throw error;
  }

  return {
    async write(db, work) {
      let changes: RecordChange[] = [];
      try {
        return await db.transaction(async (tx) => {
          const result = await work(tx);
          const noted = await readNoted(tx);
          if (noted.transaction !== null) noteOwn(noted.transaction);
          changes = noted.changes;
          return result;
        });
      } finally {
        tell(changes);
      }
    },
    onChange: (listener) => void listeners.push(listener),
    onAct: (listener) => void actListeners.push(listener),
    onNews: (listener) => void newsListeners.push(listener),
    hears: () => connection.isUp(),
    pulse: async () => await connection.sql`select 1`,
    close: () => connection.close(),
  };
}

const everything: RecordChange = { kind: 'all', id: '' };
const kinds: string[] = ['key', 'session', 'member', 'project', 'workspace'] satisfies RecordChange['kind'][];

/** `kind:id`; whatever else somebody sends on the channel means everything. */
function toChange(text: string): RecordChange {
  const [kind = '', id = ''] = text.split(':');
  return kinds.includes(kind) ? { kind: kind as RecordChange['kind'], id } : everything;
}

/** As the trigger writes it; whatever else somebody sends on the channel means that something was not heard. */
function toAct(text: string): HeardAct | null {
  const [workspaceId = '', action = '', targetId = '', requestId = ''] = text.split(' ');
  if (!/^\d+$/.test(workspaceId) || action === '') return null;
  return {
    workspaceId: Number(workspaceId),
    action,
    targetId: targetId === '' ? null : Number(targetId),
    requestId: requestId === '' ? null : requestId,
  };
}

/** Tells the other servers of the record; in a transaction: as soon as that is committed. */
export async function sendNews(
  sql: Pick<Sql, 'unsafe'>,
  server: number,
  { kind, ids }: ServerNews,
): Promise<void> {
  // A message has less than 8,000 bytes.
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const some = ids.slice(from, from + idsAtOnce).join(',');
    await sql.unsafe('select pg_notify($1, $2)', [newsChannel, `${server} ${kind} ${some}`]);
  }
}
const idsAtOnce = 300;
const newsKinds: string[] = [
  'documents',
  'imports',
  'requests',
  'cancel',
  'moved',
] satisfies ServerNews['kind'][];

/** As it is sent; whatever else somebody sends on the channel means that something was not heard. */
function toNews(text: string): (ServerNews & { server: number }) | null {
  const [server = '', kind = '', ids = ''] = text.split(' ');
  if (!newsKinds.includes(kind) || !/^\d+(,\d+)*$/.test(ids)) return null;
  return { server: Number(server), kind: kind as ServerNews['kind'], ids: ids.split(',').map(Number) };
}

/** What the transaction has changed so far, and its id if it has written anything. */
async function readNoted(tx: Database): Promise<{ transaction: string | null; changes: RecordChange[] }> {
  const [row] = await tx.execute<{ transaction: string | null; changes: string | null }>(
    statement`select pg_current_xact_id_if_assigned()::text as transaction, current_setting('vectora.changes', true) as changes`,
  );
  const words = (row?.changes ?? '').split(' ').filter((word) => word !== '');
  return { transaction: row?.transaction ?? null, changes: words.map(toChange) };
}
