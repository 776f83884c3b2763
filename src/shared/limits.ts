/** Every limit a caller can run into, in one place: schemas, the HTTP edge and the documentation read these. */
export const limits = {
  nameCharactersMax: 128,
  descriptionCharactersMax: 2_000,
  passwordCharactersMin: 8,
  passwordCharactersMax: 256,
  dimensionMax: 4_096,
  metadataFieldsMax: 1_000,
  /** Of a collection's metadata as JSON: a list may have 250 of them. */
  metadataBytesMax: 128 * 1024,
  documentBytesMax: 4 * 1024 * 1024,
  /** A body with a document. */
  jsonBodyBytesMax: 10 * 1024 * 1024,
  searchBodyBytesMax: 256 * 1024,
  multiSearchBodyBytesMax: 5 * 1024 * 1024,
  /** How many times its size a packed body may have unpacked, once it has more than the bytes that are free. */
  unpackedTimesMax: 100,
  unpackedFreeBytes: 1024 * 1024,
  /** Any other body. */
  otherBodyBytesMax: 2 * 1024 * 1024,
  /** A body from somebody who is not known yet: enough to sign in or up. */
  anonymousBodyBytesMax: 64 * 1024,
  jsonDepthMax: 64,
  jsonKeysMax: 100_000,
  /** Of one object: a document has 1,000 fields, and to list the names of 100,000 takes some ten milliseconds. */
  jsonMembersMax: 10_000,
  /** Items and members at every level of a document: many times its fields and a vector. */
  jsonValuesMax: 200_000,
  /** Of a search: a vector and some lists of fields. */
  searchValuesMax: 10_000,
  /** Of a multi-search: as many vectors as searches, and 900 values more for each. */
  multiSearchValuesMax: 250_000,
  otherValuesMax: 20_000,
  jsonKeyCharactersMax: 1_024,
  documentFieldsMax: 1_000,
  documentIdBytesMax: 512,
  /** Of an uploaded table: as many as a document has fields. */
  tableColumnsMax: 1_000,
  /** Which columns of a table become which fields, as JSON. */
  mappingCharactersMax: 65_536,
  /** Bodies that are being read or worked on, all together; imports have a bound of their own. */
  bodiesBytesMax: 96 * 1024 * 1024,
  /** Answers that are being made or sent, all together; more where four of the largest are more. */
  answersBytesMax: 128 * 1024 * 1024,
  /** What each request holds of that for its answer, however small it is. */
  answerBytesMin: 8 * 1024,
  /** Results of an import that are held; further ones wait in a file. */
  importResultsBytesMax: 256 * 1024,
  /** Those that wait in files, of all imports together. */
  importSpoolsBytesMax: 2 * 1024 * 1024 * 1024,
  /** Documents that an export holds. */
  exportBytesMax: 4 * 1024 * 1024,
  /** Bytes of upload held in memory at once, whatever the upload's size. */
  importBufferBytesMax: 64 * 1024 * 1024,
  /** Rows, batches and vectors that all imports hold together: some twenty batches. */
  importsBytesMax: 40 * 1024 * 1024,
  /** What a dry run remembers of the rows before: some 100 bytes a row, or whole documents where they are merged into. */
  dryRunBytesMax: 64 * 1024 * 1024,
  dryRunsBytesMax: 128 * 1024 * 1024,
  /** Of an import's summary: kinds of faults, and rows that are named of each. */
  importFaultsMax: 100,
  importFaultRowsMax: 10,
  idempotencyKeyCharactersMax: 255,
  ifMatchCharactersMax: 1_024,
  /** Imports with a key that a collection keeps, and the last ones without; all for a day. */
  importKeysMax: 10_000,
  /** Of a collection's imports with a key: what is stored of rows that failed. */
  importFaultsBytesMax: 64 * 1024 * 1024,
  importsKeptMax: 100,
  verifyIdsMax: 1_000,
  importsKeptHours: 24,
  /** Of a workspace's imports under way, those that the console shows. */
  importsShownMax: 50,
  /** Stored documents that are merged into, and what becomes of them, all together. */
  mergesBytesMax: 64 * 1024 * 1024,
  /** Documents deleted by a filter in one transaction: all of them or none. */
  deletedAtOnceMax: 50_000,
  /** Documents merged into by a filter in one transaction, and their bytes with their vectors. */
  mergedAtOnceMax: 10_000,
  mergedAtOnceBytesMax: 24 * 1024 * 1024,
  /** Copies of indexes that are being saved, all together; a larger one is alone. */
  snapshotsBytesMax: 16 * 1024 * 1024,
  perPageMax: 250,
  /** The last row of a list that paging reaches: those before a page are walked over. */
  pagedRowsMax: 100_000,
  /** Rows of a list are counted so far; what is longer is `10000+`. */
  countedRowsMax: 10_000,
  /** The last hit that paging reaches; a cursor goes on behind it. */
  pagedHitsMax: 10_000,
  cursorCharactersMax: 16_384,
  groupFieldsMax: 5,
  /** Hits that are shown of a group. */
  groupHitsMax: 99,
  /** Documents that a map shows, and components that it takes of each vector. */
  mapPointsMax: 5_000,
  mapComponentsMax: 256,
  neighboursMax: 10_000,
  filterCharactersMax: 65_536,
  queryCharactersMax: 4_096,
  queryDemandsMax: 100,
  sortKeysMax: 3,
  /** The engine counts weights in steps of 1/65,536. */
  fieldWeightMin: 0.001,
  fieldWeightMax: 1_000,
  facetsMax: 50,
  facetValuesMax: 1_000,
  multiSearchMax: 50,
  /** Collections in one merged list. */
  mergedCollectionsMax: 500,
  /** Facet values that the collections of one merged list tell together. */
  mergedFacetValuesMax: 50_000,
  /** Each collection tells its `k` nearest. */
  mergedNeighboursMax: 1_000,
  /** Calls in one tRPC request; the console loads a page with a handful. */
  batchCallsMax: 20,
  queryParametersMax: 200,
  /** What an error tells of faults: more help nobody. */
  errorDetailsMax: 100,
  projectsPerWorkspaceMax: 500,
  apiKeysPerProjectMax: 1_000,
  apiKeyGraceHoursMax: 168,
  alertRulesMax: 50,
  /** Of a workspace; of more the oldest that are resolved go. */
  alertsKeptMax: 1_000,
  webhooksMax: 10,
  webhookUrlCharactersMax: 2_000,
  /** The whole of an attempt: finding the host, connecting, sending and the head of the answer. */
  webhookSecondsMax: 10,
  webhookAttemptsMax: 9,
  webhookDeliveriesKeptDays: 7,
  /** Of an account; all together ten times as many. */
  webhookTestsPerMinute: 10,
  aliasesPerProjectMax: 1_000,
  chatMessageCharactersMax: 4_000,
  /** Documents that an answer may rest on. */
  chatSourcesMax: 20,
  /** Collections that one question may be about. */
  chatCollectionsMax: 50,
  /** Bytes of documents that are read for one question; the first is read whatever it has. */
  chatSourceBytesMax: 4 * 1024 * 1024,
  /** Sentences of all documents that are read for one question. */
  chatSentencesReadMax: 8_192,
  /** Sentences that are compared with the question by meaning. */
  chatSentencesMax: 64,
  /** An answer with its sources, as it is sent. */
  chatAnswerBytesMax: 512 * 1024,
  /** Of a user or key; the one that was used longest ago makes room. */
  conversationsPerOwnerMax: 500,
  /** Questions and answers of one conversation. */
  conversationMessagesMax: 200,
  sessionsPerAccountMax: 50,
  /** Streams of changes: a browser has one for all of its tabs. */
  liveStreamsPerAccountMax: 20,
  liveStreamsMax: 2_000,
  /** Of all workspaces together: whoever was away for longer sees everything anew. */
  liveChangesMax: 10_000,
  /** Of a collection's synonyms, overrides and presets, as of a preset's name. */
  ruleIdCharactersMax: 128,
  synonymsMax: 5_000,
  synonymMembersMax: 50,
  synonymCharactersMax: 100,
  /** Words and phrases that one search may be widened by; those of synonyms whose id comes first. */
  synonymAlternativesMax: 200,
  overridesMax: 1_000,
  overrideFilterCharactersMax: 4_096,
  overridePinsMax: 100,
  overrideHiddenMax: 100,
  pinPositionMax: 1_000,
  presetsMax: 100,
  presetBytesMax: 16 * 1024,
  settingsBytesMax: 64 * 1024,
  stopWordsMax: 1_000,
  stopWordsCharactersMax: 16_384,
  /** All synonyms, overrides, presets and settings of a collection, as JSON. */
  rulesBytesMax: 512 * 1024,
  /** An upload of synonyms. */
  rulesUploadBytesMax: 4 * 1024 * 1024,
  uploadedRowCharactersMax: 65_536,
  /** Judgements of a collection, and the queries that they are about: each is searched for when relevance is measured. */
  judgementsMax: 5_000,
  judgedQueriesMax: 500,
  judgedQueryCharactersMax: 200,
  /** Searches in which a document was clicked that may be asked for before it is proposed as relevant. */
  judgedClicksMax: 1_000,
  /** Measures of a collection's relevance that are kept, the last ones. */
  measuresKeptMax: 30,
  measureReasonCharactersMax: 200,
  /** Kinds of changes that a measure tells. */
  measuredChangesMax: 20,
  /** Documents that are counted which are still to be upgraded: in a collection with more, so many. */
  toUpgradeCountMax: 10_000,
  /** Documents among which another model is compared, what their texts and vectors have together, how long it may take to embed them, and how many hits of a query, by words and by meaning, are among them. */
  comparedDocumentsMax: 5_000,
  comparedBytesMax: 64 * 1024 * 1024,
  comparedEmbeddingMs: 240_000,
  comparedHitsOfQuery: 100,
  /** What a calibration is fitted to at least: judged hits, of each kind, and queries that find them. */
  calibrationPairsMin: 50,
  calibrationKindMin: 10,
  calibrationQueriesMin: 10,
  /** First hits of a query that count as not relevant where nobody has judged them, if that is asked for. */
  calibrationHits: 100,
  /** Best hits of a search that a re-ranking service orders, and what it is sent of each and of all. */
  rerankedHits: 50,
  rerankCharactersMax: 2_000,
  rerankBytesMax: 1024 * 1024,
  rerankAnswerBytesMax: 4 * 1024 * 1024,
  /** Of a query that is counted; a longer one counts by its beginning. */
  countedQueryCharactersMax: 100,
  /** Queries of a collection and day that are kept, the most frequent ones, once there are twice as many. */
  countedQueriesMax: 1_000,
  /** Clicks and conversions of a collection's searches of one day that are counted. */
  searchEventsPerDayMax: 10_000,
  queryIdCharactersMax: 64,
  /** How long after a search its clicks and conversions count. */
  queryIdDaysMax: 30,
  /** Places of hits whose clicks are told apart. */
  clickPositionsMax: 20,
  suggestionsMax: 20,
  /** Times that a query must have been searched for, and found something, to be suggested to others or told to keys that only read. */
  suggestedSearchesMin: 5,
  /** Of a workspace. */
  membersMax: 500,
  /** Of a workspace: those that can still be accepted. */
  openInvitationsMax: 100,
  /** By one account, into whatever workspaces: each may be a letter to a stranger. */
  mailedInvitationsPerDayMax: 100,
  /** Links to new emails of one account: each may be a letter to a stranger too. */
  emailLinksPerDayMax: 10,
  invitationDays: 7,
  /** Requests of a workspace that are kept, the last ones, and for how long. */
  requestsKeptMax: 10_000,
  requestsKeptDays: 7,
  /** Of a workspace: what comes faster than that is counted and not kept, once that many are waiting. */
  requestsKeptPerSecond: 100,
  requestsKeptAtOnce: 500,
  /** Of what a request sent, as JSON: a longer one cannot be sent again. */
  keptInputCharactersMax: 4_096,
  /** Of what it was about, in short. */
  keptWordsCharactersMax: 200,
  /** How long events and usage figures are kept. */
  historyDaysMax: 90,
} as const;

export const dimensionChoices = [384, 512, 768, 1024, 1536] as const;
export const metrics = ['cosine', 'euclidean', 'dotproduct'] as const;
export type Metric = (typeof metrics)[number];
