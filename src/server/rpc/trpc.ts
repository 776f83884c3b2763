import {
  initTRPC,
  type TRPCBuiltRouter,
  TRPCError,
  type TRPCRouterBuilder,
  type TRPCRouterCaller,
  type TRPCRouterRecord,
} from '@trpc/server';
import { accountName } from '#server/admission/requester.ts';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import type { Principal } from '#server/auth/principal.ts';
import type { WriteOptions } from '#server/db/client.ts';
import { databaseUnavailable } from '#server/db/record-error.ts';
import { AppError } from '#server/errors.ts';
import { toAppError } from '#server/to-app-error.ts';
import type { Permission } from '#shared/api-keys.ts';
import { errorTable } from '#shared/errors.ts';
import type { Role } from '#shared/roles.ts';
import { type Act, type Audit, entryOf, logAct } from './act.ts';
import type { Context, UsageScope } from './context.ts';
import { CallCount } from './count-call.ts';
import { noteDeniedCall, noteFailedCall } from './note-denied-call.ts';
import { NotedCall } from './noted-call.ts';
import type { ProcedureMeta } from './procedure-meta.ts';

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error, ctx }) => {
      const appError = toAppError(error);
      return {
        message: appError.message,
        code: shape.code,
        data: {
          code: shape.data.code,
          httpStatus: appError.status,
          path: shape.data.path,
          appCode: appError.code,
          details: appError.details,
          requestId: ctx?.request.requestId,
          retryAfterSeconds: appError.retryAfterSeconds,
        },
      };
    },
  });

/** Gives every failure its tRPC code from the table and logs it once. `next()` does not reject: look at the result. */
const failures = t.middleware(async ({ ctx, path, type, next }) => {
  let workspaceId: number | null = null;
  const noted = new NotedCall(ctx, path, type);
  const noteUsage = (about: UsageScope) => {
    workspaceId ??= about.workspaceId;
    noted.about(about);
    ctx.noteUsage?.(about);
  };
  const result = await next({ ctx: { noteUsage, noteInput: noted.input } });
  if (result.ok) {
    noted.end({ output: result.data });
    return result;
  }
  const error = toAppError(result.error);
  noted.end({ error });
  noteDeniedCall(ctx, error, { action: path, workspaceId });
  const { level, trpc } = errorTable[error.code];
  if (level === 'error' || level === 'warn') noteFailedCall(ctx, error, { path, type, level });
  throw new TRPCError({ code: trpc, message: error.message, cause: error });
});

type Root = typeof t._config.$types;

/** The context stays out of the routers' types, so that the console's program does not load the server's parts. */
type PublicRoot = { [Part in keyof Root]: Part extends 'ctx' ? object : Root[Part] };

export const router = t.router as unknown as TRPCRouterBuilder<PublicRoot>;
/** Who calls in this process gives the context that the routers' types leave out. */
export const createCallerFactory = t.createCallerFactory as unknown as <Procedures extends TRPCRouterRecord>(
  router: Pick<TRPCBuiltRouter<PublicRoot, Procedures>, '_def'>,
) => TRPCRouterCaller<Root, Procedures>;

/** What is sent is read as late as ever; whoever lists the call is told of it. */
const readOnce = t.middleware(({ ctx, next, getRawInput }) =>
  next({
    getRawInput: async () => {
      const input = await getRawInput();
      ctx.noteInput?.(input);
      return input;
    },
  }),
);

/**
 * Counts the call against the requests of its workspace, before its input is read. Gives the record to read from: while it is away it is not certain any
 * more who calls, which is enough to read, not to change anything. Both in one, since each middleware copies the context.
 */
const counted = t.middleware(async ({ ctx, path, type, meta, next }) => {
  const count = new CallCount(ctx, path, meta?.access);
  await count.begin();
  if (type === 'mutation' && ctx.principal?.isConfirmed === false) throw databaseUnavailable();
  return next({
    ctx: { noteUsage: count.noteUsage, countAll: count.countAll, db: ctx.deps.record.db },
  });
});

/** Anybody may call. */
export const publicProcedure = t.procedure
  .meta({ access: 'public' })
  .use(failures)
  .use(readOnce)
  .use(counted);

/** A signed-in user; an API key is not enough. */
export const sessionProcedure = publicProcedure.meta({ access: 'session' }).use(({ ctx, next }) => {
  if (ctx.principal === null) throw new AppError('UNAUTHORIZED', 'Sign in to do this');
  if (ctx.principal.kind !== 'user') throw new AppError('FORBIDDEN', 'An API key cannot do this; sign in');
  return next({ ctx: { principal: ctx.principal } });
});

/**
 * A signed-in user who holds at least this role in the workspace of whatever the input names.
 * The procedure must find that thing through `scope.ts`, which reads `ctx.roleMin`.
 */
export const memberProcedure = (roleMin: Role) =>
  sessionProcedure.meta({ roleMin }).use(({ next }) => next({ ctx: { roleMin } }));

/**
 * An API key with this permission, or a signed-in user with the role that goes with it.
 * The procedure must find its collection through `scope.ts`.
 */
export const keyProcedure = (permission: Permission) => {
  const roleMin: Role = permission === 'read' ? 'viewer' : 'editor';
  return publicProcedure.meta({ access: permission, roleMin }).use(({ ctx, next }) => {
    const principal = getPermitted(ctx.principal, permission);
    return next({ ctx: { principal, permission, roleMin } });
  });
};

/** @throws AppError UNAUTHORIZED (nobody), FORBIDDEN (a key without the permission) */
export function getPermitted(principal: Principal | null, permission: Permission): Principal {
  if (principal === null) {
    throw new AppError('UNAUTHORIZED', 'Sign in or send an API key in the X-API-Key header');
  }
  if (principal.kind === 'key' && !principal.permissions.includes(permission)) {
    throw new AppError('FORBIDDEN', `This API key lacks the permission "${permission}"`);
  }
  return principal;
}

/** What follows from a write: it runs after the commit, before the answer, and its failure is logged and not the caller's. */
export type AfterCommit = (work: () => Promise<void> | void) => void;

const transaction = (optionsOf: (ctx: Context) => WriteOptions) =>
  t.middleware(async ({ ctx, path, next }) => {
    const acts: Act[] = [];
    const audit: Audit = (act) => void acts.push(act);
    const pending: (() => Promise<void> | void)[] = [];
    const afterCommit: AfterCommit = (work) => void pending.push(work);
    const result = await ctx.deps.record.write(async (db) => {
      const done = await next({ ctx: { db, afterCommit, audit } });
      if (!done.ok) throw done.error;
      const [act] = acts;
      if (!act || acts.length > 1) throw new Error(`${path} told ${acts.length} acts for the audit`);
      await writeAuditEntry(db, entryOf(ctx, path, act));
      return done;
    }, optionsOf(ctx));
    for (const act of acts) logAct(ctx, path, act);
    const outcomes = await Promise.allSettled(pending.map(async (work) => work()));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        ctx.log.error('work after a commit failed', { path, error: outcome.reason });
    }
    return result;
  });

/**
 * For procedures that change the record, after `.input(…)`: refuses while nothing can be stored, opens a transaction and hands it on as
 * `ctx.db`, which then can write, and adds `ctx.afterCommit` and `ctx.audit`. What the procedure throws rolls it back.
 */
export const inTransaction = transaction(() => ({}));

/** The same for what deletes: it frees space, so it goes on when storage is nearly full. */
export const inDeletion = transaction(() => ({ mayUseReserve: true }));

/** The same for what a signed-in user may do again and again though it frees nothing: as often as signing in. */
export const inSignOut = transaction(({ principal }) =>
  principal?.kind === 'user'
    ? { mayUseReserve: { of: 'signIns', tenant: accountName(principal.userId) } }
    : {},
);
