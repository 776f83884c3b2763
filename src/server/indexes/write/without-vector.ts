/** What its document has in the record: its text waits for the service, or the service has refused it. */
export const pendingModel = 'pending';
export const refusedModel = 'refused';

export const withoutVector = (modelId: string | null) => ({
  modelId,
  vectors: new Float32Array(0),
  spans: new Int32Array(0),
});
