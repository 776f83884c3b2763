import type { AnyTRPCProcedure } from '@trpc/server';
import type { ZodType } from 'zod';
import { type BodyLimits, bodyLimits } from '#server/wire/body-limits.ts';
import type { Role } from '#shared/roles.ts';
import { isCounted } from './count-call.ts';
import type { Access, ProcedureMeta, RestLine } from './procedure-meta.ts';
import { appRouter, type ProcedureName } from './router.ts';

/** A procedure as data: what tables about procedures are made from. */
export interface ProcedureEntry {
  name: ProcedureName;
  type: 'query' | 'mutation';
  access: Access;
  /** Null: whoever is signed in, or nobody has to be. */
  roleMin: Role | null;
  /** Among the requests of its workspace. */
  isCounted: boolean;
  input: ZodType | null;
  /** As the audit log has it; null: it tells that none, or none of a workspace. */
  act: string | null;
  rest: RestLine | null;
}

/** All procedures by name, in the router's order. */
export const procedures: ReadonlyMap<ProcedureName, ProcedureEntry> = new Map(
  // At run time the router's table is flat: procedures by their dotted names.
  (Object.entries(appRouter._def.procedures) as unknown as [ProcedureName, AnyTRPCProcedure][]).map(
    ([name, procedure]) => [name, toEntry(name, procedure)],
  ),
);

function toEntry(name: ProcedureName, { _def }: AnyTRPCProcedure): ProcedureEntry {
  const { access, roleMin, act, rest } = _def.meta as ProcedureMeta;
  if (access === undefined || _def.type === 'subscription') {
    throw new Error(`${name} is not made from one of the base procedures`);
  }
  const input = (_def.inputs[0] ?? null) as ZodType | null;
  const isCountedHere = isCounted(name);
  const same = { name, type: _def.type, access, input, act: act ?? null };
  return { ...same, roleMin: roleMin ?? null, isCounted: isCountedHere, rest: rest ?? null };
}

/** What the JSON that holds its input may have. */
export function bodyLimitsOf({ access, rest }: Pick<ProcedureEntry, 'access' | 'rest'>): BodyLimits {
  return rest?.bodyLimits ?? (access === 'public' ? bodyLimits.anonymous : bodyLimits.other);
}

/** Answered from an index, in milliseconds. */
export function isRead(name: string): boolean {
  return procedures.get(name as ProcedureName)?.access === 'read';
}

/** Changes nothing. */
export function isQuery(name: string): boolean {
  return procedures.get(name as ProcedureName)?.type === 'query';
}

export function isStreamed(name: string): boolean {
  return procedures.get(name as ProcedureName)?.rest?.stream !== undefined;
}
