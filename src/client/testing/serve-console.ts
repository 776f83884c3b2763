import type { User } from '#shared/accounts.ts';
import { engineOf } from '#shared/search-engines.ts';
import { type Answers, answerTrpc, refuse } from './api.ts';
import { ada, collectionRow, projectRow, workspaceRow } from './rows.ts';

/** A server that knows one account; `endSession` forgets who is signed in. */
export function serveConsole(signedIn: User | null, more: Answers = {}) {
  let user = signedIn;
  const onlySignedIn = (answer: unknown) => () => (user ? answer : signInFirst());
  const asked = answerTrpc({
    'auth.me': () => ({ user }),
    'auth.login': () => {
      user = ada;
      return { user };
    },
    'auth.secondStep': () => {
      user = ada;
      return { user };
    },
    'auth.logout': () => {
      user = null;
      return { ok: true };
    },
    'workspaces.list': onlySignedIn([workspaceRow(1, 'Acme')]),
    'projects.list': onlySignedIn([projectRow(1, 'Storefront', 1)]),
    'collections.list': onlySignedIn([collectionRow(1, 'films', 36_249), collectionRow(2, 'products')]),
    'dashboard.stats': onlySignedIn({
      totalCollections: 2,
      totalDocuments: 36_249,
      apiRequestsLast24h: 12,
      activeProjects: 1,
    }),
    'dashboard.apiUsage': onlySignedIn([{ date: '2026-11-21', requests: 12 }]),
    'dashboard.recentActivity': onlySignedIn([]),
    'alerts.list': onlySignedIn([]),
    'engine.get': onlySignedIn(engineOf('embedded')),
    'projects.create': (input) => (user ? { ...projectRow(2, '', 1), ...(input as object) } : signInFirst()),
    ...more,
  });
  return { ...asked, endSession: () => (user = null) };
}

export function signInFirst() {
  return refuse({ code: 'UNAUTHORIZED', message: 'Sign in to do this' });
}
