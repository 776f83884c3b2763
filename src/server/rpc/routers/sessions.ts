import { and, desc, eq, gt, ne, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { UserPrincipal } from '#server/auth/principal.ts';
import type { Database } from '#server/db/client.ts';
import { sessions } from '#server/db/schema/accounts.ts';
import { AppError, notFound } from '#server/errors.ts';
import { endedShape, type Session, sessionList, sessionRef, sessionShape } from '#shared/sessions.ts';
import type { Context } from '../context.ts';
import { readPage } from '../read-page.ts';
import { toEntity } from '../to-entity.ts';
import { inDeletion, inSignOut, router, sessionProcedure } from '../trpc.ts';

type SessionContext = Context & { principal: UserPrincipal };

function toSession({ principal }: SessionContext, row: typeof sessions.$inferSelect): Session {
  const { number: id, addressGroup: address } = row;
  return toEntity(sessionShape, { ...row, id, address, isCurrent: row.id === principal.sessionId });
}

/** One's own that have not ended. */
function liveSessions({ principal, deps }: SessionContext) {
  return and(eq(sessions.userId, principal.userId), gt(sessions.expiresAt, deps.clock()));
}

const freshMinutes = 15;

/**
 * Who finds a browser signed in does not sign its owner out elsewhere: that takes a sign-in of late.
 * @throws AppError FORBIDDEN
 */
async function assertFresh({ principal, deps }: SessionContext, db: Database): Promise<void> {
  const [own] = await db
    .select({ createdAt: sessions.createdAt })
    .from(sessions)
    .where(eq(sessions.id, principal.sessionId));
  const ageMs = own ? deps.clock().getTime() - own.createdAt.getTime() : Number.POSITIVE_INFINITY;
  if (ageMs <= freshMinutes * 60_000) return;
  throw new AppError(
    'FORBIDDEN',
    `You signed in more than ${freshMinutes} minutes ago: sign in again to sign out elsewhere`,
  );
}

/** Where somebody is signed in. */
export const sessionsRouter = router({
  list: sessionProcedure
    .meta({
      rest: {
        at: 'GET /api/auth/sessions',
        summary: 'List where you are signed in',
        answer: 'page',
        output: z.array(sessionShape),
      },
    })
    .input(sessionList.prefault({}))
    .query(async ({ ctx, input }) => {
      const rows = (narrow?: SQL) =>
        ctx.db
          .select()
          .from(sessions)
          .where(and(liveSessions(ctx), narrow))
          .orderBy(desc(sessions.number));
      return (await readPage(ctx, input, { id: sessions.number, rows })).map((row) => toSession(ctx, row));
    }),

  end: sessionProcedure
    .meta({
      rest: {
        at: 'DELETE /api/auth/sessions/{id}',
        summary: 'Sign out in one place; elsewhere within 15 minutes of signing in',
        output: sessionShape,
      },
    })
    .input(sessionRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input }) => {
      const [ended] = await ctx.db
        .delete(sessions)
        .where(and(liveSessions(ctx), eq(sessions.number, input.id)))
        .returning();
      if (!ended) throw notFound('Session');
      const session = toSession(ctx, ended);
      if (!session.isCurrent) await assertFresh(ctx, ctx.db);
      ctx.audit({ workspaceId: null, target: null, before: { session: session.id } });
      if (session.isCurrent) ctx.afterCommit(ctx.cookies.clearSession);
      return session;
    }),

  endOthers: sessionProcedure
    .meta({
      rest: {
        at: 'DELETE /api/auth/sessions',
        summary: 'Sign out everywhere else, within 15 minutes of signing in',
        output: endedShape,
      },
    })
    .use(inSignOut)
    .mutation(async ({ ctx }) => {
      await assertFresh(ctx, ctx.db);
      const others = and(eq(sessions.userId, ctx.principal.userId), ne(sessions.id, ctx.principal.sessionId));
      const ended = await ctx.db.delete(sessions).where(others).returning({ number: sessions.number });
      ctx.audit({ workspaceId: null, target: null, before: { sessions: ended.length } });
      return { ended: ended.length };
    }),
});
