/**
 * The catalogue of the REST API: what exists, in the order people read it. The server's table (`server/rest/routes.ts`) is typed against
 * it, and the playground and the OpenAPI document are made from it, so that none can know an operation that the others do not.
 */

export const endpointGroups = [
  'Auth',
  'Workspaces',
  'Projects',
  'API Keys',
  'Dashboard',
  'Collections',
  'Documents',
  'Search',
] as const;
export type EndpointGroup = (typeof endpointGroups)[number];

/** `session`: a signed-in user only. `read` and `write`: a signed-in user, or an API key with that permission. */
export type EndpointAccess = 'public' | 'session' | 'read' | 'write';
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Endpoint {
  method: HttpMethod;
  /** With `{parameter}` for a URL-encoded segment. */
  path: string;
  group: EndpointGroup;
  summary: string;
  access: EndpointAccess;
}

const collection = '/api/collections/{name}';
const document = `${collection}/documents/{docId}`;

function at(method: HttpMethod, path: string, group: EndpointGroup, access: EndpointAccess, summary: string) {
  return { method, path, group, access, summary };
}

export const endpoints = {
  'auth.me': at('GET', '/api/auth/me', 'Auth', 'public', 'Who is signed in'),
  'auth.login': at('POST', '/api/auth/login', 'Auth', 'public', 'Sign in with email and password'),
  'auth.register': at('POST', '/api/auth/register', 'Auth', 'public', 'Create an account and sign in'),
  'auth.logout': at('POST', '/api/auth/logout', 'Auth', 'public', 'Sign out and end the session'),

  'workspaces.list': at('GET', '/api/workspaces', 'Workspaces', 'session', 'List your workspaces'),
  'workspaces.create': at('POST', '/api/workspaces', 'Workspaces', 'session', 'Create a workspace'),
  'workspaces.get': at('GET', '/api/workspaces/{id}', 'Workspaces', 'session', 'Get a workspace'),
  'workspaces.update': at('PUT', '/api/workspaces/{id}', 'Workspaces', 'session', 'Update a workspace'),
  'workspaces.delete': at('DELETE', '/api/workspaces/{id}', 'Workspaces', 'session', 'Delete a workspace'),

  'projects.list': at('GET', '/api/projects', 'Projects', 'session', 'List projects'),
  'projects.create': at('POST', '/api/projects', 'Projects', 'session', 'Create a project'),
  'projects.get': at('GET', '/api/projects/{id}', 'Projects', 'session', 'Get a project'),
  'projects.update': at('PUT', '/api/projects/{id}', 'Projects', 'session', 'Update a project'),
  'projects.delete': at('DELETE', '/api/projects/{id}', 'Projects', 'session', 'Delete a project'),

  'apiKeys.list': at('GET', '/api/api-keys', 'API Keys', 'session', "List a project's API keys"),
  'apiKeys.create': at('POST', '/api/api-keys', 'API Keys', 'session', 'Create an API key'),
  'apiKeys.update': at(
    'PUT',
    '/api/api-keys/{id}',
    'API Keys',
    'session',
    'Rename, disable or expire an API key',
  ),
  'apiKeys.delete': at('DELETE', '/api/api-keys/{id}', 'API Keys', 'session', 'Delete an API key'),

  'dashboard.stats': at('GET', '/api/dashboard/stats', 'Dashboard', 'session', 'Counts over your workspaces'),
  'dashboard.recentActivity': at(
    'GET',
    '/api/dashboard/recent-activity',
    'Dashboard',
    'session',
    'What happened last, newest first',
  ),
  'dashboard.apiUsage': at('GET', '/api/dashboard/api-usage', 'Dashboard', 'session', 'API requests a day'),

  'collections.list': at('GET', '/api/collections', 'Collections', 'read', 'List collections'),
  'collections.create': at('POST', '/api/collections', 'Collections', 'write', 'Create a collection'),
  'collections.get': at('GET', collection, 'Collections', 'read', 'Get a collection'),
  'collections.update': at('PUT', collection, 'Collections', 'write', 'Update a collection'),
  'collections.delete': at('DELETE', collection, 'Collections', 'write', 'Delete a collection'),

  'documents.create': at('POST', `${collection}/documents`, 'Documents', 'write', 'Add a document'),
  'documents.import': at(
    'POST',
    `${collection}/documents/import`,
    'Documents',
    'write',
    'Add many documents: a JSON array or NDJSON, of any size',
  ),
  'documents.list': at('GET', `${collection}/documents`, 'Documents', 'read', 'List documents'),
  'documents.export': at(
    'GET',
    `${collection}/documents/export`,
    'Documents',
    'read',
    'Export documents as NDJSON',
  ),
  'documents.get': at('GET', document, 'Documents', 'read', 'Get a document'),
  'documents.replace': at('PUT', document, 'Documents', 'write', 'Replace or create a document'),
  'documents.merge': at('PATCH', document, 'Documents', 'write', 'Change some fields of a document'),
  'documents.delete': at('DELETE', document, 'Documents', 'write', 'Delete a document'),
  'documents.deleteMany': at(
    'DELETE',
    `${collection}/documents`,
    'Documents',
    'write',
    'Delete all documents that match a filter',
  ),

  'search.keyword': at('GET', `${collection}/search`, 'Search', 'read', 'Search by keywords'),
  'search.keyword.post': at('POST', `${collection}/search`, 'Search', 'read', 'Search by keywords'),
  'search.vector': at('GET', `${collection}/vector-search`, 'Search', 'read', 'Search by meaning'),
  'search.vector.post': at('POST', `${collection}/vector-search`, 'Search', 'read', 'Search by meaning'),
  'search.similar': at('GET', `${collection}/similar`, 'Search', 'read', 'Find documents like one'),
  'search.similar.post': at('POST', `${collection}/similar`, 'Search', 'read', 'Find documents like one'),
  'search.hybrid': at(
    'GET',
    `${collection}/hybrid-search`,
    'Search',
    'read',
    'Search by keywords and meaning',
  ),
  'search.hybrid.post': at(
    'POST',
    `${collection}/hybrid-search`,
    'Search',
    'read',
    'Search by keywords and meaning',
  ),
  'search.multi': at('POST', '/api/multi-search', 'Search', 'read', 'Several searches in one request'),
} satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
