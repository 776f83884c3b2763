import { z } from 'zod';
import { SettingsError } from './settings-error.ts';

/** A cluster that keeps the indexes in place of this process. */
export interface OpenSearchSettings {
  /** Addresses of its nodes, with user and password where it has accounts. */
  nodes: string[];
  /** What becomes of indexes of another database; absent: the server does not start. */
  indexes?: 'keep' | 'new' | undefined;
}

export const searchEngineVariables = {
  SEARCH_ENGINE: z.enum(['embedded', 'opensearch']).default('embedded'),
  /** Nodes of a cluster, with commas between them. */
  OPENSEARCH_URL: z
    .string()
    .transform((text) => text.split(',').map((node) => node.trim()))
    .refine((nodes) => nodes.every(isAddress), 'must be http: or https: addresses with commas between them')
    .optional(),
  /** Where the record has been copied or restored, or Postgres has become another one. */
  OPENSEARCH_INDEXES: z.enum(['keep', 'new']).optional(),
};

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

const variables = z.object(searchEngineVariables);

/** Null: this process searches. @throws SettingsError */
export function readOpenSearch({
  SEARCH_ENGINE: engine,
  OPENSEARCH_URL: nodes,
  OPENSEARCH_INDEXES: indexes,
}: z.infer<typeof variables>): OpenSearchSettings | null {
  if (engine === 'embedded') return null;
  if (nodes === undefined)
    throw new SettingsError(
      'SEARCH_ENGINE=opensearch needs OPENSEARCH_URL too: the addresses of its nodes, with commas between them',
    );
  return { nodes, indexes };
}
