import type { inferRouterOutputs } from '@trpc/server';
import { accountRouter } from './routers/account.ts';
import { alertRulesRouter } from './routers/alert-rules.ts';
import { alertsRouter } from './routers/alerts.ts';
import { aliasesRouter } from './routers/aliases.ts';
import { analyticsRouter } from './routers/analytics.ts';
import { apiKeysRouter } from './routers/api-keys.ts';
import { auditEntriesRouter } from './routers/audit-entries.ts';
import { authRouter } from './routers/auth.ts';
import { calibrationsRouter } from './routers/calibrations.ts';
import { chatRouter } from './routers/chat.ts';
import { collectionHealthRouter } from './routers/collection-health.ts';
import { collectionsRouter } from './routers/collections.ts';
import { conversationsRouter } from './routers/conversations.ts';
import { dashboardRouter } from './routers/dashboard.ts';
import { demoRouter } from './routers/demo.ts';
import { documentationRouter } from './routers/documentation.ts';
import { documentsRouter } from './routers/documents.ts';
import { engineRouter } from './routers/engine.ts';
import { importsRouter } from './routers/imports.ts';
import { invitationsRouter } from './routers/invitations.ts';
import { judgementsRouter } from './routers/judgements.ts';
import { membersRouter } from './routers/members.ts';
import { monitoringRouter } from './routers/monitoring.ts';
import { overridesRouter } from './routers/overrides.ts';
import { presetsRouter } from './routers/presets.ts';
import { projectsRouter } from './routers/projects.ts';
import { requestsRouter } from './routers/requests.ts';
import { samplesRouter } from './routers/samples.ts';
import { searchRouter } from './routers/search.ts';
import { searchSettingsRouter } from './routers/search-settings.ts';
import { secondFactorRouter } from './routers/second-factor.ts';
import { sessionsRouter } from './routers/sessions.ts';
import { synonymsRouter } from './routers/synonyms.ts';
import { usageRouter } from './routers/usage.ts';
import { webhooksRouter } from './routers/webhooks.ts';
import { workspacesRouter } from './routers/workspaces.ts';
import { router } from './trpc.ts';

/** Every use case of the product, by noun, in the order in which people read about them. */
export const appRouter = router({
  auth: authRouter,
  account: accountRouter,
  sessions: sessionsRouter,
  secondFactor: secondFactorRouter,
  workspaces: workspacesRouter,
  members: membersRouter,
  invitations: invitationsRouter,
  projects: projectsRouter,
  apiKeys: apiKeysRouter,
  auditEntries: auditEntriesRouter,
  dashboard: dashboardRouter,
  usage: usageRouter,
  monitoring: monitoringRouter,
  collectionHealth: collectionHealthRouter,
  engine: engineRouter,
  requests: requestsRouter,
  alerts: alertsRouter,
  alertRules: alertRulesRouter,
  webhooks: webhooksRouter,
  collections: collectionsRouter,
  aliases: aliasesRouter,
  documents: documentsRouter,
  imports: importsRouter,
  samples: samplesRouter,
  search: searchRouter,
  synonyms: synonymsRouter,
  overrides: overridesRouter,
  searchSettings: searchSettingsRouter,
  presets: presetsRouter,
  judgements: judgementsRouter,
  calibrations: calibrationsRouter,
  analytics: analyticsRouter,
  chat: chatRouter,
  conversations: conversationsRouter,
  documentation: documentationRouter,
  demo: demoRouter,
});

export type AppRouter = typeof appRouter;

type Nested = inferRouterOutputs<AppRouter>;
type Noun = keyof Nested & string;

export type ProcedureName = { [N in Noun]: `${N}.${keyof Nested[N] & string}` }[Noun];
