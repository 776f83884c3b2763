interface Around {
  /** Whether it may be the texts' fault: the model had worked before. */
  isOfTexts?: boolean;
  restMs?: number;
  cause?: unknown;
}

/** Why a model that is run here gives no vectors, in words for whoever searches: they name no file. */
export class ModelError extends Error {
  readonly isOfTexts: boolean;
  /** When to come again. */
  readonly restMs: number;

  constructor(message: string, { isOfTexts = false, restMs = 0, cause }: Around = {}) {
    super(message, { cause });
    this.isOfTexts = isOfTexts;
    this.restMs = restMs;
  }
}
