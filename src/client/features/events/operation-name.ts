import { fieldLabel } from '#client/lib/field-label.ts';

const names: Record<string, string> = {
  'search.keyword': 'Keyword search',
  'search.vector': 'Semantic search',
  'search.hybrid': 'Hybrid search',
  'search.similar': 'Similar documents',
  'search.multi': 'Multi-search',
  'search.suggest': 'Suggestions',
  'search.explain': 'Explain a rank',
  'chat.ask': 'Question',
  'documents.write': 'Write a document',
  'documents.replace': 'Replace a document',
  'documents.merge': 'Merge into a document',
  'documents.mergeMany': 'Merge into documents',
  'documents.delete': 'Delete a document',
  'documents.deleteMany': 'Delete documents',
  'documents.import': 'Import documents',
  'documents.export': 'Export documents',
  'documents.get': 'Get a document',
  'documents.list': 'List documents',
  'analytics.recordEvent': 'Click or conversion',
  'collections.create': 'Create a collection',
  'collections.update': 'Change a collection',
  'collections.delete': 'Delete a collection',
  'collections.list': 'List collections',
  'collections.get': 'Get a collection',
  'projects.create': 'Create a project',
  'projects.update': 'Change a project',
  'projects.delete': 'Delete a project',
  'apiKeys.create': 'Create an API key',
  'apiKeys.update': 'Change an API key',
  'apiKeys.reveal': 'Reveal an API key',
  'apiKeys.rotate': 'Rotate an API key',
  'apiKeys.delete': 'Delete an API key',
  'apiKeys.restore': 'Restore an API key',
  'apiKeys.list': 'List API keys',
  'samples.load': 'Load a sample',
  'judgements.put': 'Judge a document',
  'judgements.delete': 'Remove judgements',
  'judgements.import': 'Import judgements',
  'judgements.measure': 'Measure relevance',
  'judgements.compare': 'Compare a change',
  'calibrations.fit': 'Calibrate relevance',
  'calibrations.delete': 'Remove a calibration',
  'searchSettings.update': 'Change search settings',
  'synonyms.upsert': 'Save a synonym',
  'synonyms.delete': 'Delete a synonym',
  'overrides.upsert': 'Save an override',
  'overrides.delete': 'Delete an override',
  'collections.verify': 'Verify an index',
  'collections.repair': 'Repair an index',
  'collections.restore': 'Restore a collection',
};

/** 'search.hybrid' → 'Hybrid search'; what has no name of its own is told by its noun and verb. */
export function operationName(operation: string): string {
  const own = names[operation];
  if (own) return own;
  const [noun = '', verb = ''] = operation.split('.');
  return `${fieldLabel(noun)}: ${fieldLabel(verb).toLowerCase()}`;
}
