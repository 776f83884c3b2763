/**
 * The table of zones: which folder may know which, and which packages it may use. A file belongs to the zone of its longest matching
 * prefix. Tests and what only tests use may import anything, and nothing imports them.
 */
export interface Zone {
  name: string;
  prefixes: string[];
  /** Zones it may import, besides itself. */
  zones: string[];
  /** Packages, by name or by a name that ends in `*`. */
  packages: string[];
}

const zone = (name: string, prefixes: string[], zones: string[], packages: string[] = []): Zone => ({
  name,
  prefixes,
  zones,
  packages,
});

const server = (...names: string[]) => names.map((name) => `src/server/${name}`);
const client = (...names: string[]) => names.map((name) => `src/client/${name}`);

export const testZone = 'test';

const zones: Zone[] = [
  zone('shared', ['src/shared/'], [], ['zod']),
  zone('engine', server('engine/'), [], []),
  zone(
    'base',
    server(
      'env.ts',
      'embedding-settings.ts',
      'mail-settings.ts',
      'rerank-settings.ts',
      'search-engine-settings.ts',
      'setting-forms.ts',
      'settings-error.ts',
      'log.ts',
      'counted-lines.ts',
      'errors.ts',
      'within.ts',
      'random-numbers.ts',
      'collect-young-alone.ts',
      'compile-early.ts',
    ),
    ['shared'],
    ['zod', 'node:*'],
  ),
  // Maps that stay within bounds.
  zone('memory', server('memory/'), []),
  // Who is next, and who is turned away.
  zone('admission', server('admission/'), ['shared', 'base', 'memory'], ['node:*']),
  // Bodies, JSON, headers and answers, below both ways in.
  zone('wire', server('wire/'), ['shared', 'base'], ['node:*']),
  zone(
    'db',
    server('db/'),
    ['shared', 'base', 'memory', 'admission', 'embedded'],
    ['drizzle-orm', 'postgres', 'node:*'],
  ),
  // Only here is it known that one Postgres is a child of this process.
  zone('embedded', server('db/embedded/'), ['shared', 'base', 'admission', 'db'], ['zod', 'node:*']),
  zone('outbound', server('outbound/'), ['base', 'admission'], ['node:*']),
  zone(
    'embeddings',
    server('embeddings/'),
    ['shared', 'base', 'memory', 'admission', 'outbound'],
    ['zod', 'node:*'],
  ),
  zone('reranking', server('reranking/'), ['base', 'memory', 'outbound', 'embeddings'], ['zod']),
  zone('telemetry', server('telemetry/'), ['shared', 'base', 'db'], ['drizzle-orm']),
  // What is measured over time.
  zone('monitoring', server('monitoring/'), ['shared', 'base', 'db'], ['drizzle-orm', 'node:*']),
  // Rules over what is measured, and what they raise.
  zone(
    'alerts',
    server('alerts/'),
    ['shared', 'base', 'db', 'monitoring', 'webhooks'],
    ['drizzle-orm', 'node:*'],
  ),
  // What is sent to addresses that users give.
  zone(
    'webhooks',
    server('webhooks/'),
    ['shared', 'outbound', 'base', 'admission', 'db', 'auth', 'workspaces'],
    ['drizzle-orm', 'node:*'],
  ),
  // What is searched for, counted.
  zone('search-log', server('search-log/'), ['shared', 'base', 'db', 'engine'], ['drizzle-orm', 'node:*']),
  // The last requests, for those who look at them.
  zone(
    'request-log',
    server('request-log/'),
    ['shared', 'base', 'memory', 'db', 'search-log'],
    ['drizzle-orm', 'node:*'],
  ),
  // Below accounts and procedures, whose acts it writes down.
  zone('audit', server('audit/'), ['shared', 'base', 'db', 'admission'], ['drizzle-orm']),
  // What changes, for those who look at it.
  zone('live', server('live/'), ['shared', 'base', 'memory', 'admission', 'db'], ['drizzle-orm', 'node:*']),
  zone('mail', server('mail/'), ['base'], ['nodemailer']),
  // Figures for whoever watches the server.
  zone('metrics', server('metrics/'), [], ['prom-client']),
  // What workspaces may have by their plans.
  zone('quotas', server('quotas/'), ['shared', 'base', 'db', 'audit'], ['drizzle-orm', 'node:*']),
  zone('workspaces', server('workspaces/'), ['shared', 'base', 'db', 'telemetry'], ['drizzle-orm', 'node:*']),
  zone(
    'auth',
    server('auth/'),
    ['shared', 'base', 'memory', 'admission', 'db', 'audit', 'mail', 'workspaces'],
    ['lucia', '@node-rs/argon2', 'otpauth', 'drizzle-orm', 'node:*'],
  ),
  zone(
    'indexes',
    server('indexes/'),
    [
      'shared',
      'base',
      'memory',
      'admission',
      'wire',
      'db',
      'engine',
      'embeddings',
      'telemetry',
      'quotas',
      'workspaces',
    ],
    ['@orama/stemmers', 'drizzle-orm', 'postgres', 'node:*'],
  ),
  // Another engine for the indexes.
  zone(
    'opensearch',
    server('opensearch/'),
    ['shared', 'base', 'memory', 'admission', 'wire', 'db', 'engine', 'indexes'],
    ['@opensearch-project/opensearch', 'postgres', 'node:*'],
  ),
  // Questions answered from documents.
  zone(
    'chat',
    server('chat/'),
    ['shared', 'base', 'admission', 'wire', 'engine', 'embeddings', 'indexes'],
    ['ai', '@ai-sdk/openai', '@ai-sdk/anthropic', 'node:*'],
  ),
  zone('demo', server('demo/'), ['shared', 'base', 'memory', 'admission', 'engine', 'embeddings', 'indexes']),
  // The articles, searched, and told to machines.
  zone(
    'documentation',
    server('documentation/'),
    ['shared', 'base', 'admission', 'engine', 'embeddings', 'indexes'],
    ['node:*'],
  ),
  zone(
    'to-app-error',
    server('to-app-error.ts', 'issue-message.ts'),
    ['shared', 'base', 'db'],
    ['@trpc/server', 'zod'],
  ),
  // Collections to try the product with.
  zone('samples', server('samples/'), ['shared', 'base', 'wire', 'indexes', 'demo'], ['node:*']),
  zone('deps', server('deps.ts'), [
    'shared',
    'base',
    'admission',
    'db',
    'embeddings',
    'telemetry',
    'search-log',
    'request-log',
    'quotas',
    'audit',
    'mail',
    'auth',
    'indexes',
    'chat',
    'live',
    'monitoring',
    'webhooks',
    'demo',
    'documentation',
    'samples',
    'metrics',
  ]),
  zone(
    'rpc',
    server('rpc/'),
    [
      'shared',
      'base',
      'admission',
      'wire',
      'db',
      'to-app-error',
      'telemetry',
      'search-log',
      'request-log',
      'quotas',
      'audit',
      'workspaces',
      'auth',
      'indexes',
      'chat',
      'monitoring',
      'alerts',
      'webhooks',
      'demo',
      'deps',
    ],
    ['@trpc/server', 'drizzle-orm', 'zod'],
  ),
  zone(
    'rest',
    server('rest/'),
    ['shared', 'base', 'admission', 'wire', 'to-app-error', 'engine', 'rpc'],
    ['csv-parse', 'zod', 'node:*'],
  ),
  zone(
    'http',
    server('http/'),
    [
      'shared',
      'base',
      'admission',
      'wire',
      'to-app-error',
      'live',
      'telemetry',
      'audit',
      'auth',
      'metrics',
      'deps',
      'rpc',
      'rest',
    ],
    ['hono', '@hono/node-server', '@trpc/server', 'node:*'],
  ),
  zone(
    'main',
    server('main.ts', 'compose.ts', 'operator/'),
    [
      'shared',
      'base',
      'admission',
      'db',
      'outbound',
      'embeddings',
      'reranking',
      'telemetry',
      'search-log',
      'request-log',
      'quotas',
      'audit',
      'mail',
      'auth',
      'indexes',
      'opensearch',
      'chat',
      'live',
      'monitoring',
      'alerts',
      'webhooks',
      'demo',
      'documentation',
      'samples',
      'metrics',
      'deps',
      'rpc',
      'http',
    ],
    ['node:*'],
  ),
  zone('lib', client('lib/'), ['shared'], ['react', '@trpc/*', '@tanstack/*']),
  zone(
    'components',
    client('components/'),
    ['shared', 'lib'],
    ['react', '@codemirror/*', '@lezer/highlight', '@mantine/*', '@radix-ui/react-toast', '@tanstack/*'],
  ),
  zone(
    'features',
    client('features/'),
    ['shared', 'lib', 'components'],
    [
      'react',
      'zod',
      'client-zip',
      'csv-parse',
      'eventsource-parser',
      'qr',
      '@codemirror/*',
      '@lezer/highlight',
      '@mantine/*',
      '@tanstack/*',
      'virtual:articles',
    ],
  ),
  zone(
    'routes',
    client('routes/'),
    ['shared', 'lib', 'components', 'features'],
    ['react', 'zod', '@mantine/core', '@tanstack/*'],
  ),
  zone('reference', client('reference.ts'), [], ['swagger-ui-dist']),
  zone(
    'shell',
    client('main.tsx', 'router.tsx', 'theme.ts', 'before-all.ts', 'route-tree.gen.ts', 'styles/'),
    ['lib', 'components', 'routes'],
    ['react', 'react-dom', 'zod', '@mantine/core', '@tanstack/*'],
  ),
  zone(
    testZone,
    ['src/architecture', 'src/server/testing/', 'src/server/engine/testing/', 'src/client/testing/'],
    [],
    [],
  ),
];

export function zoneOf(file: string): Zone | null {
  if (/\.(test|check|d)\.tsx?$/.test(file)) return zones.find(({ name }) => name === testZone) ?? null;
  const fitting = zones.flatMap((zone) =>
    zone.prefixes.filter((prefix) => file.startsWith(prefix)).map((prefix) => ({ zone, prefix })),
  );
  return fitting.sort((a, b) => b.prefix.length - a.prefix.length)[0]?.zone ?? null;
}
