import { and, count, desc, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { assertToken } from '#server/auth/keys/shared-key.ts';
import type { Principal } from '#server/auth/principal.ts';
import type { Answered } from '#server/chat/chat-question.ts';
import type { Turn } from '#server/chat/resolve-follow-up.ts';
import type { Database, ReadDatabase } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { citedDocuments, conversationMessages, conversations } from '#server/db/schema/conversations.ts';
import { members, projects, workspaces } from '#server/db/schema/workspaces.ts';
import { AppError, notFound } from '#server/errors.ts';
import { type Conversation, conversationShape } from '#shared/chat.ts';
import { limits } from '#shared/limits.ts';
import { undoableSince } from './deletion/undoable-since.ts';
import type { CallerContext, Writing } from './scope.ts';
import { toEntity } from './to-entity.ts';

export type ConversationRow = typeof conversations.$inferSelect & {
  workspaceId: number;
  messageCount: number;
};

/** Whose conversations a caller has. */
function ownedBy(principal: Principal): SQL {
  return principal.kind === 'user'
    ? eq(conversations.userId, principal.userId)
    : eq(conversations.keyId, principal.keyId);
}

const messageCount = sql<number>`(select count(*)::int from ${conversationMessages}
  where ${conversationMessages.conversationId} = ${conversations.id})`;

type Seeing = Pick<CallerContext, 'db' | 'principal'>;

/** A caller's own, the one that went on last first. */
export function selectConversations(ctx: Seeing, narrow?: SQL) {
  return selectOwned(ctx, and(isNull(conversations.deletedAt), narrow));
}

/** Also deleted ones. Who has left a workspace sees no conversation about what is in it. */
function selectOwned({ db, principal }: Seeing, narrow?: SQL) {
  const isMember =
    principal.kind === 'user'
      ? sql`exists (select from ${members} where ${members.workspaceId} = ${projects.workspaceId} and ${members.userId} = ${principal.userId})`
      : eq(projects.id, principal.projectId);
  return db
    .select({
      id: conversations.id,
      projectId: conversations.projectId,
      userId: conversations.userId,
      keyId: conversations.keyId,
      beginner: conversations.beginner,
      name: conversations.name,
      createdAt: conversations.createdAt,
      updatedAt: conversations.updatedAt,
      deletedAt: conversations.deletedAt,
      workspaceId: projects.workspaceId,
      messageCount: messageCount.as('message_count'),
    })
    .from(conversations)
    .innerJoin(projects, and(eq(projects.id, conversations.projectId), isNull(projects.deletedAt)))
    .innerJoin(workspaces, and(eq(workspaces.id, projects.workspaceId), isNull(workspaces.deletedAt)))
    .where(and(ownedBy(principal), isMember, narrow))
    .orderBy(desc(conversations.updatedAt), desc(conversations.id));
}

/** @throws AppError NOT_FOUND, also for a key that many share without the token of its beginner */
export async function getConversation(
  ctx: Pick<CallerContext, 'db' | 'deps' | 'principal' | 'noteUsage'>,
  id: number,
  token?: string | null,
): Promise<ConversationRow> {
  const [found] = await selectConversations(ctx, eq(conversations.id, id));
  if (!found) throw notFound('Conversation');
  assertToken(ctx, found, token);
  ctx.noteUsage?.(found);
  return found;
}

/** Brings back one that was deleted within the time of Undo. @throws AppError NOT_FOUND */
export async function restoreConversation(ctx: Writing, id: number): Promise<ConversationRow> {
  // An account that is being deleted hides what it has, and would not see this one.
  await lockOwner(ctx.db, ctx.principal);
  const isUndoable = gt(conversations.deletedAt, undoableSince(ctx));
  const [found] = await selectOwned(ctx, and(eq(conversations.id, id), isUndoable));
  if (!found) throw notFound('Conversation');
  const [restored] = await ctx.db
    .update(conversations)
    .set({ deletedAt: null })
    .where(and(eq(conversations.id, id), isUndoable))
    .returning();
  // Purged, or restored by another request, meanwhile.
  if (!restored) throw notFound('Conversation');
  return { ...found, ...restored };
}

export function toConversation(row: ConversationRow): Conversation {
  return toEntity(conversationShape, row);
}

/** What follow-ups resolve against reaches no further back. */
const turnsRead = 4;

/** The last questions of a conversation with their answers, in order. */
export async function readTurns(db: ReadDatabase, conversationId: number): Promise<Turn[]> {
  const rows = await db
    .select({ content: conversationMessages.content, answer: conversationMessages.answer })
    .from(conversationMessages)
    .where(
      and(
        eq(conversationMessages.conversationId, conversationId),
        eq(conversationMessages.role, 'assistant'),
      ),
    )
    .orderBy(desc(conversationMessages.id))
    .limit(turnsRead);
  return rows.reverse().flatMap(({ content, answer }) => {
    if (answer === null) return [];
    const cited = new Set(answer.sentences.flatMap(({ citations }) => citations.map(({ source }) => source)));
    const subjects = [...cited].flatMap((number) => {
      const source = answer.sources[number - 1];
      return source ? [{ collectionId: source.collection.id, id: source.id, title: source.title }] : [];
    });
    return [{ question: answer.question, answer: content, subjects }];
  });
}

interface AskedTurn {
  /** Null: a new one is begun. */
  conversation: ConversationRow | null;
  /** Who begins it, of those that share a key. */
  beginner: string | null;
  projectId: number;
  message: string;
  answered: Answered;
  now: Date;
}

/** Writes down a question and its answer. @throws AppError NOT_FOUND (conversation, project or key has gone meanwhile), UNPROCESSABLE (it is full) */
export async function keepTurn(db: Database, principal: Principal, turn: AskedTurn): Promise<number> {
  const id = turn.conversation
    ? await goOn(db, turn.conversation.id, turn.now)
    : await begin(db, principal, turn);
  const { cited, answer, ...stored } = turn.answered;
  const base = { conversationId: id, projectId: turn.projectId, createdAt: turn.now };
  await db.insert(conversationMessages).values({ ...base, role: 'user', content: turn.message });
  const [written] = await db
    .insert(conversationMessages)
    .values({ ...base, role: 'assistant', content: answer, answer: stored })
    .returning({ messageId: conversationMessages.id });
  if (!written) throw new Error('the inserted message was not returned');
  if (cited.length > 0)
    await db.insert(citedDocuments).values(cited.map((document) => ({ ...written, ...document })));
  return id;
}

/** Its lock keeps questions that are asked at once from filling it beyond its limit. */
async function goOn(db: Database, id: number, now: Date): Promise<number> {
  const [found] = await db
    .update(conversations)
    .set({ updatedAt: now })
    .where(and(eq(conversations.id, id), isNull(conversations.deletedAt)))
    .returning({ id: conversations.id });
  if (!found) throw notFound('Conversation');
  const [held] = await db
    .select({ messages: count() })
    .from(conversationMessages)
    .where(eq(conversationMessages.conversationId, id));
  assertRoomFor(held?.messages ?? 0);
  return id;
}

/** @throws AppError UNPROCESSABLE */
export function assertRoomFor(messages: number): void {
  const most = limits.conversationMessagesMax;
  if (messages + 2 <= most) return;
  throw new AppError('UNPROCESSABLE', `A conversation has at most ${most} messages; begin a new one`);
}

async function begin(
  db: Database,
  principal: Principal,
  { projectId, beginner, message, now }: AskedTurn,
): Promise<number> {
  await lockOwner(db, principal);
  const [project] = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, projectId), isNull(projects.deletedAt)))
    .for('key share');
  if (!project) throw notFound('Project');
  const owner =
    principal.kind === 'user'
      ? { userId: principal.userId, keyId: null }
      : { userId: null, keyId: principal.keyId };
  const values = { ...owner, beginner, projectId, name: nameOf(message), createdAt: now, updatedAt: now };
  const [begun] = await db.insert(conversations).values(values).returning({ id: conversations.id });
  if (!begun) throw new Error('the inserted conversation was not returned');
  await makeRoom(db, principal);
  return begun.id;
}

/** One after the other, so that none is counted while another is being added. @throws AppError NOT_FOUND */
async function lockOwner(db: Database, principal: Principal): Promise<void> {
  const [owner] =
    principal.kind === 'user'
      ? await db
          .select({ id: users.id })
          .from(users)
          .where(eq(users.id, principal.userId))
          .for('no key update')
      : await db
          .select({ id: apiKeys.id })
          .from(apiKeys)
          .where(and(eq(apiKeys.id, principal.keyId), isNull(apiKeys.deletedAt)))
          .for('no key update');
  if (!owner) throw notFound(principal.kind === 'user' ? 'Account' : 'API key');
}

/** The one that was used longest ago goes; of those that share a key, whoever has most gives way, so that nobody pushes out all others'. */
async function makeRoom(db: Database, principal: Principal): Promise<void> {
  const kept = and(ownedBy(principal), isNull(conversations.deletedAt));
  const held = await db.$count(conversations, kept);
  const excess = held - limits.conversationsPerOwnerMax;
  if (excess <= 0) return;
  const { id, beginner, updatedAt } = conversations;
  const place = sql`row_number() over (partition by ${beginner} order by ${updatedAt} desc, ${id} desc)`;
  const leaving = db
    .select({ id })
    .from(conversations)
    .where(kept)
    .orderBy(desc(place), updatedAt, id)
    .limit(excess);
  await db.delete(conversations).where(inArray(conversations.id, leaving));
}

/** A conversation is called what was asked first. */
function nameOf(message: string): string {
  const line = message.replaceAll(/\p{Cc}+/gu, ' ').trim() || '…';
  const most = limits.nameCharactersMax;
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`;
}
