import { identityKey } from '#server/auth/identity.ts';
import type { Database } from '#server/db/client.ts';
import { listOwnedWorkspaces, type PlanChange, setPlan } from '#server/quotas/set-plan.ts';
import { PLAN_LIMITS, type Plan, plans, quotaNames } from '#shared/plans.ts';
import { besideServer, type Terminal } from './beside-server.ts';

const usage = `Say which workspace and which plan: npm run set-plan -- <workspace id, or its owner's email> <${plans.join('|')}>`;

/**
 * `npm run set-plan -- <workspace id or owner's email> <plan>`: what the workspace may have from now on.
 * @throws Error, to be printed as it is
 */
export async function runSetPlan(args: string[], terminal: Terminal): Promise<void> {
  const [workspace, named, ...more] = args;
  const plan = plans.find((one) => one === named);
  if (!workspace || workspace.startsWith('-') || !plan || more.length > 0) throw new Error(usage);
  const text = await besideServer(terminal, async (tx, { quotas }) => {
    const workspaceId = await findWorkspaceId(tx, workspace);
    const change = await setPlan(tx, { workspaceId, plan, now: new Date() });
    if (!change) throw new Error(`No workspace has the id ${workspaceId}`);
    return changeText(change, plan) + (quotas ? '' : notEnforced);
  });
  terminal.print(text);
}

async function findWorkspaceId(tx: Database, idOrEmail: string): Promise<number> {
  if (/^\d{1,15}$/.test(idOrEmail)) return Number(idOrEmail);
  const [owned, ...others] = await listOwnedWorkspaces(tx, identityKey(idOrEmail));
  if (!owned) throw new Error(`Nobody with the email ${idOrEmail} owns a workspace`);
  if (others.length === 0) return owned.id;
  const lines = [owned, ...others].map(({ id, name, plan }) => `  ${id}  ${JSON.stringify(name)}, ${plan}`);
  throw new Error(`${idOrEmail} owns several workspaces: say which, by its id\n${lines.join('\n')}`);
}

const notEnforced = `
  This server has no quotas (QUOTAS=false): nothing is limited.
`;

function changeText({ workspace: { id, name }, before, held }: PlanChange, plan: Plan): string {
  const what =
    before === plan ? `has the plan ${plan} already` : `has the plan ${plan} now, before ${before}`;
  const lines = quotaNames.map((quota) => {
    const [old, limit] = [PLAN_LIMITS[before][quota], PLAN_LIMITS[plan][quota]];
    const limits = old === limit ? amount(limit) : `${amount(limit)}, before ${amount(old)}`;
    if (quota === 'requests') return `  requests a month: ${limits}`;
    const isUsedUp = limit !== null && held[quota] >= limit;
    return `  ${quota}: ${limits}; uses ${held[quota]}${isUsedUp ? ', so that none can be added' : ''}`;
  });
  return `\n  Workspace ${id}, ${JSON.stringify(name)}, ${what}.\n${lines.join('\n')}\n`;
}

const amount = (limit: number | null) => (limit === null ? 'any number' : String(limit));
