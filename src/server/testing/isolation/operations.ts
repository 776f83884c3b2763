import type { ProcedureName } from '#server/rpc/router.ts';
import type { EndpointAccess } from '#shared/endpoints.ts';

/** What a call is about: a tenant's things, somebody else's, or ids that nothing bears. */
export interface Target {
  workspaceId: number;
  projectId: number;
  /** As a path names it. */
  collection: string;
  collectionId: number;
  apiKeyId: number;
  documentId: string;
  /** Credentials of the account that owns it. */
  email: string;
  password: string;
}

export interface Operation {
  access: EndpointAccess;
  /**
   * Whose the call is, by what its input names. `nothing`: the caller's own things. `inside`: the collection is named within a list,
   * and what is wrong with it is answered in its place.
   */
  names: 'nothing' | 'workspace' | 'project' | 'collection' | 'apiKey' | 'inside';
  /** The procedure's input; what it names comes from `target`, what must be new from `serial`. */
  input(target: Target, serial: number): Record<string, unknown> | undefined;
  /** Must be so before the call makes sense. */
  before?: 'workspace deleted' | 'project deleted' | 'collection deleted';
  /** The session it is called with is over afterwards, so each caller needs one of its own. */
  endsSession?: true;
  /** What a key limited to another collection of the same project is answered, where it is not the 404 of a collection it cannot see. */
  limitedKey?: 200 | 403;
  /** Streams over REST; the procedure cannot be reached over HTTP tRPC. */
  stream?: 'import' | 'export';
}

const nothing = () => undefined;
const search = ({ collection }: Target) => ({ collection, query: 'metropolis' });

function newAccount(serial: number) {
  const name = `isolated-${serial}`;
  const password = 'analytical engine';
  return { email: `${name}@example.org`, username: name, password, confirmPassword: password };
}

/**
 * One row a procedure. The test fails for a procedure or a REST operation without one, so nobody can add an operation without saying who
 * may call it and on what.
 */
export const operations: Record<ProcedureName, Operation> = {
  'auth.me': { access: 'public', names: 'nothing', input: nothing },
  'auth.login': {
    access: 'public',
    names: 'nothing',
    input: ({ email, password }) => ({ email, password }),
    endsSession: true,
  },
  'auth.register': {
    access: 'public',
    names: 'nothing',
    input: (_, serial) => newAccount(serial),
    endsSession: true,
  },
  'auth.logout': { access: 'public', names: 'nothing', input: nothing, endsSession: true },
  'demo.products': { access: 'public', names: 'nothing', input: () => ({ query: 'warm jacket' }) },

  'workspaces.list': { access: 'session', names: 'nothing', input: nothing },
  'workspaces.create': { access: 'session', names: 'nothing', input: () => ({ name: 'New' }) },
  'workspaces.get': {
    access: 'session',
    names: 'workspace',
    input: ({ workspaceId }) => ({ id: workspaceId }),
  },
  'workspaces.update': {
    access: 'session',
    names: 'workspace',
    input: ({ workspaceId }) => ({ id: workspaceId, name: 'Taken over' }),
  },
  'workspaces.delete': {
    access: 'session',
    names: 'workspace',
    input: ({ workspaceId }) => ({ id: workspaceId }),
  },
  'workspaces.restore': {
    access: 'session',
    names: 'workspace',
    input: ({ workspaceId }) => ({ id: workspaceId }),
    before: 'workspace deleted',
  },

  'projects.list': {
    access: 'session',
    names: 'workspace',
    input: ({ workspaceId }) => ({ workspaceId }),
  },
  'projects.create': {
    access: 'session',
    names: 'workspace',
    input: ({ workspaceId }) => ({ workspaceId, name: 'Planted' }),
  },
  'projects.get': { access: 'session', names: 'project', input: ({ projectId }) => ({ id: projectId }) },
  'projects.update': {
    access: 'session',
    names: 'project',
    input: ({ projectId }) => ({ id: projectId, name: 'Taken over' }),
  },
  'projects.delete': { access: 'session', names: 'project', input: ({ projectId }) => ({ id: projectId }) },
  'projects.restore': {
    access: 'session',
    names: 'project',
    input: ({ projectId }) => ({ id: projectId }),
    before: 'project deleted',
  },

  'apiKeys.list': { access: 'session', names: 'project', input: ({ projectId }) => ({ projectId }) },
  'apiKeys.create': {
    access: 'session',
    names: 'project',
    input: ({ projectId }) => ({ projectId, name: 'Planted' }),
  },
  'apiKeys.update': {
    access: 'session',
    names: 'apiKey',
    input: ({ apiKeyId }) => ({ id: apiKeyId, isActive: false }),
  },
  'apiKeys.delete': { access: 'session', names: 'apiKey', input: ({ apiKeyId }) => ({ id: apiKeyId }) },

  'dashboard.stats': {
    access: 'session',
    names: 'workspace',
    input: ({ workspaceId }) => ({ workspaceId }),
  },
  'dashboard.recentActivity': {
    access: 'session',
    names: 'workspace',
    input: ({ workspaceId }) => ({ workspaceId }),
  },
  'dashboard.apiUsage': {
    access: 'session',
    names: 'workspace',
    input: ({ workspaceId }) => ({ workspaceId }),
  },

  'collections.list': {
    access: 'read',
    names: 'project',
    input: ({ projectId }) => ({ projectId }),
    limitedKey: 200,
  },
  'collections.create': {
    access: 'write',
    names: 'project',
    input: ({ projectId }, serial) => ({ projectId, name: `Planted ${serial}` }),
    limitedKey: 403,
  },
  'collections.get': { access: 'read', names: 'collection', input: ({ collection }) => ({ collection }) },
  'collections.fields': { access: 'read', names: 'collection', input: ({ collection }) => ({ collection }) },
  'collections.update': {
    access: 'write',
    names: 'collection',
    input: ({ collection }, serial) => ({ collection, name: `Taken over ${serial}` }),
  },
  'collections.delete': { access: 'write', names: 'collection', input: ({ collection }) => ({ collection }) },
  'collections.restore': {
    access: 'write',
    names: 'collection',
    input: ({ collectionId }) => ({ id: collectionId }),
    before: 'collection deleted',
  },

  'documents.write': {
    access: 'write',
    names: 'collection',
    input: ({ collection }) => ({ collection, document: { id: 'planted', title: 'Planted' } }),
  },
  'documents.import': {
    access: 'write',
    names: 'collection',
    input: ({ collection }) => ({ collection }),
    stream: 'import',
  },
  'documents.list': { access: 'read', names: 'collection', input: ({ collection }) => ({ collection }) },
  'documents.get': {
    access: 'read',
    names: 'collection',
    input: ({ collection, documentId }) => ({ collection, id: documentId }),
  },
  'documents.replace': {
    access: 'write',
    names: 'collection',
    input: ({ collection, documentId }) => ({ collection, id: documentId, document: { title: 'Replaced' } }),
  },
  'documents.merge': {
    access: 'write',
    names: 'collection',
    input: ({ collection, documentId }) => ({ collection, id: documentId, document: { year: 2000 } }),
  },
  'documents.delete': {
    access: 'write',
    names: 'collection',
    input: ({ collection, documentId }) => ({ collection, id: documentId }),
  },
  'documents.deleteMany': {
    access: 'write',
    names: 'collection',
    input: ({ collection }) => ({ collection, filter_by: 'year:>0' }),
  },
  'documents.export': {
    access: 'read',
    names: 'collection',
    input: ({ collection }) => ({ collection }),
    stream: 'export',
  },

  'search.keyword': { access: 'read', names: 'collection', input: search },
  'search.vector': { access: 'read', names: 'collection', input: search },
  'search.hybrid': { access: 'read', names: 'collection', input: search },
  'search.similar': {
    access: 'read',
    names: 'collection',
    input: ({ collection, documentId }) => ({ collection, id: documentId }),
  },
  'search.multi': {
    access: 'read',
    names: 'inside',
    input: (target) => ({ searches: [search(target)] }),
  },
};
