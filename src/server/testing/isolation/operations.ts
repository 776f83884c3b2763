import { pendingLoginCookie } from '#server/auth/sessions/session-cookie.ts';
import type { ProcedureName } from '#server/rpc/router.ts';
import type { Role } from '#shared/roles.ts';

type Created<Name> = Name extends `${infer Noun}.create` ? Noun : never;
/** What the row of its `create` makes for each test, in the table's order. The rest is made by name, since the callers depend on it. */
export type MadeNoun = Exclude<Created<ProcedureName>, 'workspaces' | 'projects' | 'collections'>;

/** What a call is about: a tenant's things, somebody else's, or ids that nothing bears. */
export interface Target {
  workspaceId: number;
  projectId: number;
  /** As a path names it. */
  collection: string;
  collectionId: number;
  conversationId: number;
  /** Another name of the collection. */
  alias: string;
  /** An import of the collection's. */
  importId: number;
  /** Ids, by the router. */
  made: Record<MadeNoun, number>;
  /** Somebody who only reads in the workspace. */
  memberId: number;
  /** Of an open invitation to somebody else's workspace. */
  invitationToken: string;
  documentId: string;
  /** Of a search of the collection. */
  queryId: string;
  /** Credentials of the account that owns it. */
  email: string;
  password: string;
  /** One of its sessions that nobody uses, and the tokens of a reset link and of one that changes its email. */
  sessionId: number;
  resetToken: string;
  emailToken: string;
  /** Where it has a second factor: the app's code of this moment, and the cookie of somebody whose password was right. */
  code(): string;
  pendingLogin: string;
}

type Fields = Record<string, unknown>;

export interface Operation {
  /**
   * Whose the call is, by what its input names. `nothing`: the caller's own things. `inside`: the collection is named within a list,
   * and what is wrong with it is answered in its place. `conversation`: the user's or key's that began it, nobody else's.
   */
  names: 'nothing' | 'workspace' | 'project' | 'collection' | 'made' | 'inside' | 'conversation';
  /** The procedure's input; what it names comes from `target`, what must be new from `serial`. */
  input(target: Target, serial: number): Fields | undefined;
  /** Must be so before the call makes sense. */
  before?:
    | 'workspace deleted'
    | 'another owner'
    | 'invited elsewhere'
    | 'project deleted'
    | 'collection deleted'
    | 'API key deleted'
    | 'second factor started'
    | 'second factor on'
    | 'conversation begun'
    | 'conversation deleted'
    | 'calibrated'
    | 'clicked';
  /** What it is about is gone afterwards, or no longer what another caller's same call, or another operation, needs. */
  usesUp?: true;
  /** What a member needs who asks for this very thing, where it is more than the procedure says. */
  roleMin?: Role;
  /** What an import uploads, where it is no document. */
  rows?: Fields[];
  /** What the browser remembers, where the call needs it. */
  cookie?(target: Target): string;
  /** It ends sessions, or makes some of which an account may have only so many: it needs accounts of its own. */
  endsSession?: true;
  /** Whom it is opened to, beside who is signed in. Access itself is the procedure's; this is written by hand, so that nothing is opened unnoticed. */
  openTo?: 'anybody' | 'keys that read' | 'keys that write';
  /** What a key limited to another collection of the same project is answered, where it is not the 404 of a collection it cannot see. */
  limitedKey?: 200 | 403;
}

const nothing: Operation = { names: 'nothing', input: () => undefined };
const own = (input: Fields): Operation => ({ names: 'nothing', input: () => input });

/** The thing itself, and what is below it. */
const workspace = (more: Fields = {}): Operation => ({
  names: 'workspace',
  input: ({ workspaceId }) => ({ id: workspaceId, ...more }),
});
const inWorkspace = (more: Fields = {}): Operation => ({
  names: 'workspace',
  input: ({ workspaceId }) => ({ workspaceId, ...more }),
});
const member = (more: Fields = {}): Operation => ({
  names: 'workspace',
  input: ({ workspaceId, memberId: userId }) => ({ workspaceId, userId, ...more }),
});
const byInvitation: Operation = {
  names: 'nothing',
  input: ({ invitationToken: token }) => ({ token }),
  before: 'invited elsewhere',
};
const project = (more: Fields = {}): Operation => ({
  names: 'project',
  input: ({ projectId }) => ({ id: projectId, ...more }),
});
const inProject = (more: Fields = {}): Operation => ({
  names: 'project',
  input: ({ projectId }, serial) => ({ projectId, ...numbered(more, serial) }),
});
const made = (noun: MadeNoun, more: Fields = {}): Operation => ({
  names: 'made',
  input: (target) => ({ id: target.made[noun], ...more }),
});
const collection = (more: Fields = {}): Operation => ({
  names: 'collection',
  input: (target, serial) => ({ collection: target.collection, ...numbered(more, serial) }),
});
const document = (more: Fields = {}): Operation => ({
  names: 'collection',
  input: (target) => ({ collection: target.collection, id: target.documentId, ...more }),
});

const conversation = (more: Fields = {}): Operation => ({
  names: 'conversation',
  input: ({ conversationId }) => ({ id: conversationId, ...more }),
  before: 'conversation begun',
});

const anybody = (operation: Operation): Operation => ({ ...operation, openTo: 'anybody' });
const readKeys = (operation: Operation): Operation => ({ ...operation, openTo: 'keys that read' });
const writeKeys = (operation: Operation): Operation => ({ ...operation, openTo: 'keys that write' });

/** Names of collections must be new. */
function numbered(fields: Fields, serial: number): Fields {
  return 'name' in fields ? { ...fields, name: `${fields['name']} ${serial}` } : fields;
}

function newAccount(serial: number) {
  const name = `isolated-${serial}`;
  const password = 'analytical engine';
  return { email: `${name}@example.org`, username: name, password, confirmPassword: password };
}

function newPassword(serial: number) {
  const password = `difference engine ${serial}`;
  return { password, confirmPassword: password };
}

const byPasswordAndCode: Operation = {
  names: 'nothing',
  input: ({ password, code }) => ({ password, code: code() }),
  before: 'second factor on',
  endsSession: true,
};

const query = 'metropolis';

/** The synonym, override and preset that each target's collection has. */
export const standingRule = 'standing';
/** A query for which one of its documents is judged. */
export const standingQuery = 'best film';

/**
 * One row a procedure: what its input names, and whom it is opened to where a session is not needed. The test fails for a procedure
 * without a row, so that none is added without a look at whose things it is about, and for one that is open to others than its row says.
 */
export const operations: Record<ProcedureName, Operation> = {
  'auth.me': anybody(nothing),
  'auth.login': anybody({
    names: 'nothing',
    input: ({ email, password }) => ({ email, password }),
    endsSession: true,
  }),
  'auth.register': anybody({ names: 'nothing', input: (_, serial) => newAccount(serial), endsSession: true }),
  'auth.logout': anybody({ ...nothing, endsSession: true }),
  'auth.changePassword': {
    names: 'nothing',
    input: ({ password }, serial) => ({ currentPassword: password, ...newPassword(serial) }),
    endsSession: true,
  },
  'auth.signInOptions': anybody(nothing),
  // Nobody's: what follows for somebody comes after the answer.
  'auth.forgotPassword': anybody(own({ email: 'nobody@example.org' })),
  'auth.resetLink': anybody({
    names: 'nothing',
    input: ({ resetToken }) => ({ token: resetToken }),
    endsSession: true,
  }),
  'auth.resetPassword': anybody({
    names: 'nothing',
    input: ({ resetToken }, serial) => ({ token: resetToken, ...newPassword(serial) }),
    endsSession: true,
    usesUp: true,
  }),

  'auth.secondStep': anybody({
    names: 'nothing',
    input: ({ code }) => ({ code: code() }),
    before: 'second factor on',
    cookie: ({ pendingLogin }) => `${pendingLoginCookie(false).name}=${pendingLogin}`,
    endsSession: true,
    usesUp: true,
  }),

  'account.update': { names: 'nothing', input: (_, serial) => ({ firstName: `Ada ${serial}` }) },
  'account.delete': {
    names: 'nothing',
    input: ({ password }) => ({ password }),
    endsSession: true,
    usesUp: true,
  },
  'account.activity': nothing,
  'account.pendingEmail': nothing,
  'account.cancelEmail': { ...nothing, endsSession: true },
  'account.emailLink': anybody({
    names: 'nothing',
    input: ({ emailToken }) => ({ token: emailToken }),
    endsSession: true,
  }),
  'account.confirmEmail': anybody({
    names: 'nothing',
    input: ({ emailToken }) => ({ token: emailToken }),
    endsSession: true,
    usesUp: true,
  }),

  'secondFactor.get': nothing,
  'secondFactor.start': {
    names: 'nothing',
    input: ({ password }) => ({ password }),
    endsSession: true,
  },
  'secondFactor.confirm': {
    names: 'nothing',
    input: ({ code }) => ({ code: code() }),
    before: 'second factor started',
    endsSession: true,
  },
  'secondFactor.disable': byPasswordAndCode,
  'secondFactor.renewCodes': byPasswordAndCode,

  'sessions.list': nothing,
  'sessions.end': { names: 'made', input: ({ sessionId }) => ({ id: sessionId }), endsSession: true },
  'sessions.endOthers': { ...nothing, endsSession: true },

  'engine.get': nothing,
  'documentation.search': own({ query: 'filter by price' }),
  'demo.products': anybody(own({ query: 'warm jacket' })),
  'demo.compare': anybody(own({ query: 'warm jacket', alpha: 0.5 })),

  'workspaces.list': nothing,
  'workspaces.create': own({ name: 'New' }),
  'workspaces.get': workspace(),
  'workspaces.update': workspace({ name: 'Taken over' }),
  'workspaces.membership': workspace(),
  'workspaces.leave': { ...workspace(), before: 'another owner', usesUp: true },
  'workspaces.delete': { ...workspace(), usesUp: true },
  'workspaces.restore': { ...workspace(), before: 'workspace deleted', usesUp: true },

  'members.list': inWorkspace(),
  'members.update': { ...member({ role: 'editor' }), usesUp: true },
  'members.remove': { ...member(), usesUp: true },

  'invitations.list': inWorkspace(),
  'invitations.create': inWorkspace({ role: 'viewer' }),
  'invitations.delete': { ...made('invitations'), usesUp: true },
  'invitations.link': anybody(byInvitation),
  'invitations.accept': { ...byInvitation, usesUp: true },

  'projects.list': inWorkspace(),
  'projects.create': inWorkspace({ name: 'Planted' }),
  'projects.get': project(),
  'projects.update': project({ name: 'Taken over' }),
  'projects.delete': { ...project(), usesUp: true },
  'projects.restore': { ...project(), before: 'project deleted', usesUp: true },

  'apiKeys.list': inProject(),
  'apiKeys.create': inProject({ name: 'Planted' }),
  // It writes.
  'apiKeys.reveal': { ...made('apiKeys'), roleMin: 'editor' },
  'apiKeys.rotate': { ...made('apiKeys', { graceHours: 1 }), usesUp: true },
  'apiKeys.update': { ...made('apiKeys', { isActive: false }), usesUp: true },
  'apiKeys.delete': { ...made('apiKeys'), usesUp: true },
  'apiKeys.restore': { ...made('apiKeys'), before: 'API key deleted', usesUp: true },

  'auditEntries.list': inWorkspace(),
  'auditEntries.total': inWorkspace(),

  'dashboard.stats': inWorkspace(),
  'dashboard.recentActivity': inWorkspace(),
  'dashboard.apiUsage': inWorkspace(),
  'dashboard.firstSteps': inWorkspace(),
  'dashboard.importsUnderWay': inWorkspace(),

  'requests.recent': inWorkspace(),
  'requests.get': inWorkspace({ id: 1 }),
  'requests.overview': inWorkspace(),
  'requests.writeTimes': collection(),

  'usage.get': readKeys({ ...inWorkspace(), limitedKey: 403 }),

  'monitoring.get': inWorkspace(),
  'collectionHealth.list': inWorkspace(),

  'alerts.list': inWorkspace(),
  'alertRules.list': inWorkspace(),
  'alertRules.create': inWorkspace({ name: 'Planted', metric: 'disk', threshold: 100 }),
  'alertRules.update': made('alertRules', { minutes: 10 }),
  'alertRules.delete': { ...made('alertRules'), usesUp: true },

  'webhooks.list': inWorkspace(),
  // Nobody listens there.
  'webhooks.create': inWorkspace({ name: 'Planted', url: 'http://127.0.0.1:1/alerts' }),
  'webhooks.update': made('webhooks', { isActive: false }),
  'webhooks.rotate': made('webhooks'),
  'webhooks.test': made('webhooks'),
  'webhooks.delete': { ...made('webhooks'), usesUp: true },

  'collections.list': readKeys({ ...inProject(), limitedKey: 200 }),
  'collections.create': writeKeys({ ...inProject({ name: 'Planted' }), limitedKey: 403 }),
  'collections.get': readKeys(collection()),
  'collections.fields': readKeys(collection()),
  'collections.update': writeKeys(collection({ name: 'Taken over' })),
  'collections.delete': writeKeys({ ...collection(), usesUp: true }),
  'collections.repair': writeKeys(collection()),
  'collections.verify': writeKeys(collection()),
  'collections.restore': writeKeys({
    names: 'collection',
    input: ({ collectionId }) => ({ id: collectionId }),
    before: 'collection deleted',
    usesUp: true,
  }),

  'aliases.list': readKeys({ ...inProject(), limitedKey: 200 }),
  'aliases.get': readKeys({ names: 'collection', input: ({ alias }) => ({ name: alias }) }),
  'aliases.put': writeKeys({
    names: 'collection',
    input: (target, serial) => ({ name: `planted-${serial}`, collection: target.collection }),
    limitedKey: 403,
  }),
  'aliases.delete': writeKeys({
    names: 'collection',
    input: ({ alias }) => ({ name: alias }),
    limitedKey: 403,
    usesUp: true,
  }),

  'documents.write': writeKeys(collection({ document: { id: 'planted', title: 'Planted' } })),
  'documents.import': writeKeys(collection()),
  'documents.list': readKeys(collection()),
  'documents.map': readKeys(collection()),
  'documents.get': readKeys(document()),
  'documents.getVersion': readKeys(document()),
  'documents.replace': writeKeys(document({ document: { title: 'Replaced' } })),
  'documents.merge': writeKeys(document({ document: { year: 2000 } })),
  'documents.delete': writeKeys({ ...document(), usesUp: true }),
  'documents.deleteMany': writeKeys({ ...collection({ filter_by: 'year:>0' }), usesUp: true }),
  'documents.mergeMany': writeKeys(collection({ filter_by: 'year:>0', document: { year: 2000 } })),
  'documents.export': readKeys(collection()),

  'imports.list': readKeys(collection()),
  'imports.get': readKeys({
    names: 'collection',
    input: (target) => ({ collection: target.collection, id: target.importId }),
  }),
  'imports.cancel': writeKeys({
    names: 'collection',
    input: (target) => ({ collection: target.collection, id: target.importId }),
  }),

  'samples.load': inProject({ sample: 'products' }),

  'search.keyword': readKeys(collection({ query })),
  'search.vector': readKeys(collection({ query })),
  'search.hybrid': readKeys(collection({ query })),
  'search.similar': readKeys(document()),
  'search.explain': readKeys(document({ query })),
  'search.suggest': readKeys(collection({ q: 'metro' })),
  'search.preview': readKeys(collection({ query, mode: 'keyword', draft: { settings: { num_typos: 0 } } })),
  'search.sentences': readKeys({
    names: 'collection',
    input: ({ collection: name, documentId }) => ({ collection: name, query, hits: [{ id: documentId }] }),
  }),
  'search.multi': readKeys({
    names: 'inside',
    input: (target) => ({ searches: [{ collection: target.collection, query }] }),
  }),

  'synonyms.list': readKeys(collection()),
  'synonyms.get': readKeys(collection({ id: standingRule })),
  'synonyms.upsert': writeKeys(collection({ id: 'planted', synonyms: [query, 'planted'] })),
  'synonyms.delete': writeKeys({ ...collection({ id: standingRule }), usesUp: true }),
  'synonyms.import': writeKeys({ ...collection(), rows: [{ id: 'planted', synonyms: [query, 'planted'] }] }),

  'overrides.list': readKeys(collection()),
  'overrides.get': readKeys(collection({ id: standingRule })),
  'overrides.upsert': writeKeys(
    collection({
      id: 'planted',
      rule: { query, match: 'exact' },
      excludes: [{ id: '2' }],
    }),
  ),
  'overrides.delete': writeKeys({ ...collection({ id: standingRule }), usesUp: true }),

  'searchSettings.get': readKeys(collection()),
  'searchSettings.update': writeKeys(collection({ num_typos: 0 })),

  'presets.list': readKeys(collection()),
  'presets.get': readKeys(collection({ preset: standingRule })),
  'presets.put': writeKeys(collection({ preset: 'planted', parameters: { per_page: 1 } })),
  'presets.delete': writeKeys({ ...collection({ preset: standingRule }), usesUp: true }),

  'judgements.list': readKeys(collection()),
  'judgements.queries': readKeys(collection()),
  'judgements.put': writeKeys(collection({ query, document: 'planted', grade: 1 })),
  'judgements.import': writeKeys({ ...collection(), rows: [{ query, document: 'planted', grade: 1 }] }),
  'judgements.delete': writeKeys({ ...collection({ query: standingQuery }), usesUp: true }),
  'judgements.clicked': writeKeys({ ...collection(), before: 'clicked' }),
  'judgements.putClicked': writeKeys({ ...collection(), before: 'clicked', usesUp: true }),
  'judgements.measures': readKeys(collection()),
  'judgements.models': readKeys(collection()),
  'judgements.measure': writeKeys(collection()),
  'calibrations.get': readKeys({ ...collection(), before: 'calibrated' }),
  'calibrations.fit': writeKeys({
    ...collection({ mode: 'keyword', unjudged: 'not_relevant' }),
    before: 'calibrated',
  }),
  'calibrations.delete': writeKeys({ ...collection(), before: 'calibrated', usesUp: true }),
  'judgements.compare': writeKeys(collection({ mode: 'keyword', draft: { settings: { num_typos: 0 } } })),

  'analytics.get': readKeys(collection()),
  'analytics.recordEvent': readKeys({
    names: 'collection',
    input: ({ collection: of, documentId: id, queryId: query_id }) => ({
      collection: of,
      type: 'click',
      id,
      query_id,
      position: 1,
    }),
  }),

  'chat.ask': readKeys(collection({ message: 'What is Metropolis?' })),
  'chat.models': readKeys(nothing),
  'chat.suggestions': readKeys(collection()),

  'conversations.list': readKeys(nothing),
  'conversations.get': readKeys(conversation()),
  'conversations.update': writeKeys(conversation({ name: 'Taken over' })),
  'conversations.delete': writeKeys({ ...conversation(), usesUp: true }),
  'conversations.restore': writeKeys({ ...conversation(), before: 'conversation deleted', usesUp: true }),
};

export const madeNouns = Object.keys(operations)
  .filter((name) => name.endsWith('.create'))
  .map((name) => name.slice(0, -'.create'.length))
  .filter((noun): noun is MadeNoun => !['workspaces', 'projects', 'collections'].includes(noun));
