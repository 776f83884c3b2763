import {
  initTRPC,
  type TRPCBuiltRouter,
  TRPCError,
  type TRPCRouterBuilder,
  type TRPCRouterCaller,
  type TRPCRouterRecord,
} from '@trpc/server';
import { ZodError } from 'zod';
import { toRecordError } from '#server/db/record-error.ts';
import { AppError } from '#server/errors.ts';
import type { Permission } from '#shared/api-keys.ts';
import { type ErrorCode, type ErrorDetail, errorTable } from '#shared/errors.ts';
import type { Role } from '#shared/workspaces.ts';
import type { Context } from './context.ts';

/** Every failure as the one error: what is thrown anywhere leaves through here, over both doors. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof TRPCError) {
    if (error.cause instanceof AppError) return error.cause;
    if (error.cause instanceof ZodError && error.code === 'BAD_REQUEST') return invalidInput(error.cause);
    const code = (Object.keys(errorTable) as ErrorCode[]).find((key) => errorTable[key].trpc === error.code);
    if (code && code !== 'INTERNAL')
      return new AppError(code, error.message, { cause: error.cause ?? error });
  }
  return (
    toRecordError(error) ?? new AppError('INTERNAL', 'Something went wrong on our side', { cause: error })
  );
}

function invalidInput(error: ZodError): AppError {
  const details: ErrorDetail[] = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: 'is not a known field' }))
      : [{ path: issue.path.join('.'), message: issue.message }],
  );
  const first = details[0];
  const message = first ? (first.path ? `${first.path}: ${first.message}` : first.message) : 'Invalid input';
  return new AppError('BAD_REQUEST', message, { details, cause: error });
}

const t = initTRPC.context<Context>().create({
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
        requestId: ctx?.request.id,
        retryAfterSeconds: appError.retryAfterSeconds,
      },
    };
  },
});

/** Gives every failure its tRPC code from the table and logs it once. `next()` does not reject: look at the result. */
const failures = t.middleware(async ({ ctx, path, type, next }) => {
  const result = await next();
  if (result.ok) return result;
  const error = toAppError(result.error);
  const { level, trpc } = errorTable[error.code];
  if (level !== 'info')
    ctx.log[level]('procedure failed', { path, type, code: error.code, error: error.cause ?? error });
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

/** Anybody may call. */
export const publicProcedure = t.procedure.use(failures);

/** A signed-in user; an API key is not enough. */
export const sessionProcedure = publicProcedure.use(({ ctx, next }) => {
  if (ctx.principal === null) throw new AppError('UNAUTHORIZED', 'Sign in to do this');
  if (ctx.principal.kind !== 'user') throw new AppError('FORBIDDEN', 'An API key cannot do this; sign in');
  return next({ ctx: { ...ctx, principal: ctx.principal } });
});

/**
 * A signed-in user who holds at least this role in the workspace of whatever the input names.
 * The procedure must find that thing through `scope.ts`, which reads `ctx.roleMin`.
 */
export const memberProcedure = (roleMin: Role) =>
  sessionProcedure.use(({ ctx, next }) => next({ ctx: { ...ctx, roleMin } }));

/**
 * An API key with this permission, or a signed-in user with the role that goes with it.
 * The procedure must find its collection through `scope.ts`.
 */
export const keyProcedure = (permission: Permission) =>
  publicProcedure.use(({ ctx, next }) => {
    const { principal } = ctx;
    if (principal === null) {
      throw new AppError('UNAUTHORIZED', 'Sign in or send an API key in the X-API-Key header');
    }
    if (principal.kind === 'key' && !principal.permissions.includes(permission)) {
      throw new AppError('FORBIDDEN', `This API key lacks the permission "${permission}"`);
    }
    const roleMin: Role = permission === 'read' ? 'viewer' : 'editor';
    return next({ ctx: { ...ctx, principal, permission, roleMin } });
  });
