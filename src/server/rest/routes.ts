import type { Outputs, ProcedureName } from '#server/rpc/router.ts';
import type { EndpointName } from '#shared/endpoints.ts';

/** How path, query and body become a procedure's input. The procedure's schema says what the values may be. */
export interface InputMapping {
  /** What the path's parameters are called in the input. */
  path?: Record<string, string>;
  /** Query parameters it takes; a GET takes all, for the schema refuses those it does not know. */
  query?: readonly string[];
  /** The body's fields become the input's; or the whole body becomes one field of it. */
  body?: 'fields' | { as: string };
}

/**
 * The table of the REST API: which procedure an operation is, and how path, query and body become its input. There is nothing else to an
 * operation; what it does is in the procedure.
 */
export interface RestRoute extends InputMapping {
  procedure: ProcedureName;
  /** Streams in or out instead of the usual JSON. */
  stream?: 'import' | 'export';
  /** Absent: 200 with the procedure's output. */
  answer?: (output: never) => RestAnswer;
}

export interface RestAnswer {
  status: 200 | 201 | 401;
  body: unknown;
}

/** Ties a row's answer to what its procedure returns. */
function row<P extends ProcedureName>(
  route: Omit<RestRoute, 'procedure' | 'answer'> & {
    procedure: P;
    answer?: (output: Outputs[P]) => RestAnswer;
  },
): RestRoute {
  return route;
}

const created = (output: unknown): RestAnswer => ({ status: 201, body: output });
const written = (output: { document: unknown; created: boolean }): RestAnswer => ({
  status: output.created ? 201 : 200,
  body: output.document,
});

const id = { id: 'id' };
const collection = { name: 'collection' };
const document = { name: 'collection', docId: 'id' };

export const restRoutes: Record<EndpointName, RestRoute> = {
  'auth.me': row({
    procedure: 'auth.me',
    answer: ({ user }) =>
      user
        ? { status: 200, body: { user } }
        : { status: 401, body: { user: null, message: 'Nobody is signed in' } },
  }),
  'auth.login': row({ procedure: 'auth.login', body: 'fields' }),
  'auth.register': row({ procedure: 'auth.register', body: 'fields', answer: created }),
  'auth.logout': row({ procedure: 'auth.logout' }),

  'workspaces.list': row({ procedure: 'workspaces.list' }),
  'workspaces.create': row({ procedure: 'workspaces.create', body: 'fields', answer: created }),
  'workspaces.get': row({ procedure: 'workspaces.get', path: id }),
  'workspaces.update': row({ procedure: 'workspaces.update', path: id, body: 'fields' }),
  'workspaces.delete': row({ procedure: 'workspaces.delete', path: id }),

  'projects.list': row({ procedure: 'projects.list' }),
  'projects.create': row({ procedure: 'projects.create', body: 'fields', answer: created }),
  'projects.get': row({ procedure: 'projects.get', path: id }),
  'projects.update': row({ procedure: 'projects.update', path: id, body: 'fields' }),
  'projects.delete': row({ procedure: 'projects.delete', path: id }),

  'apiKeys.list': row({ procedure: 'apiKeys.list' }),
  'apiKeys.create': row({ procedure: 'apiKeys.create', body: 'fields', answer: created }),
  'apiKeys.update': row({ procedure: 'apiKeys.update', path: id, body: 'fields' }),
  'apiKeys.delete': row({ procedure: 'apiKeys.delete', path: id }),

  'dashboard.stats': row({ procedure: 'dashboard.stats' }),
  'dashboard.recentActivity': row({ procedure: 'dashboard.recentActivity' }),
  'dashboard.apiUsage': row({ procedure: 'dashboard.apiUsage' }),

  'collections.list': row({ procedure: 'collections.list' }),
  'collections.create': row({ procedure: 'collections.create', body: 'fields', answer: created }),
  'collections.get': row({ procedure: 'collections.get', path: collection }),
  'collections.update': row({ procedure: 'collections.update', path: collection, body: 'fields' }),
  'collections.delete': row({ procedure: 'collections.delete', path: collection }),

  'documents.create': row({
    procedure: 'documents.write',
    path: collection,
    query: ['action'],
    body: { as: 'document' },
    answer: written,
  }),
  'documents.import': row({
    procedure: 'documents.import',
    path: collection,
    query: ['action'],
    stream: 'import',
  }),
  'documents.list': row({ procedure: 'documents.list', path: collection }),
  'documents.export': row({ procedure: 'documents.export', path: collection, stream: 'export' }),
  'documents.get': row({ procedure: 'documents.get', path: document }),
  'documents.replace': row({
    procedure: 'documents.replace',
    path: document,
    body: { as: 'document' },
    answer: written,
  }),
  'documents.merge': row({ procedure: 'documents.merge', path: document, body: { as: 'document' } }),
  'documents.delete': row({ procedure: 'documents.delete', path: document }),
  'documents.deleteMany': row({
    procedure: 'documents.deleteMany',
    path: collection,
    query: ['filter_by'],
  }),

  'search.keyword': row({ procedure: 'search.keyword', path: collection }),
  'search.keyword.post': row({ procedure: 'search.keyword', path: collection, body: 'fields' }),
  'search.vector': row({ procedure: 'search.vector', path: collection }),
  'search.vector.post': row({ procedure: 'search.vector', path: collection, body: 'fields' }),
  'search.similar': row({ procedure: 'search.similar', path: collection }),
  'search.similar.post': row({ procedure: 'search.similar', path: collection, body: 'fields' }),
  'search.hybrid': row({ procedure: 'search.hybrid', path: collection }),
  'search.hybrid.post': row({ procedure: 'search.hybrid', path: collection, body: 'fields' }),
  'search.multi': row({ procedure: 'search.multi', body: 'fields' }),
};
