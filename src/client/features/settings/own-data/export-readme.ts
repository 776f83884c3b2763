/** What stands in the archive, and how it is put into a server again. */
export function readmeOf(origin: string): string {
  return `Exported from ${origin} on ${new Date().toISOString()}

account.json            your profile
conversations.ndjson    your conversations with their messages, one a line
WORKSPACE/PROJECT/COLLECTION/
  collection.json       the body of POST /api/collections; add the projectId that it shall lie in
  documents.ndjson      one document a line: POST /api/collections/{name}/documents/import
  settings.json         PUT /api/collections/{name}/settings
  synonyms.ndjson       POST /api/collections/{name}/synonyms/import
  overrides.ndjson      each line: POST /api/collections/{name}/overrides
  presets.ndjson        each line: PUT /api/collections/{name}/presets/{preset}, with its parameters
  judgements.ndjson     POST /api/collections/{name}/judgements/import

API keys are not in it: they are secrets of this server, and another one makes its own.
What a collection has none of has no file. Documents are embedded anew when they are imported.
`;
}
