import type { Analyzer } from '#server/engine/search-index.ts';
import { runSteps, type Steps } from '#server/engine/steps.ts';
import type { RelevanceModel } from '#server/engine/types.ts';
import { badRequest } from '#server/errors.ts';
import type { Override } from '#shared/overrides.ts';
import type { Preset } from '#shared/presets.ts';
import type { SearchMode } from '#shared/search.ts';
import type { GivenParameters } from '#shared/search-parameters.ts';
import type { RuleDraft } from '#shared/search-preview.ts';
import type { SearchSettings } from '#shared/search-settings.ts';
import type { Synonym } from '#shared/synonyms.ts';
import { analyzerOf } from '../language/analyzer-of.ts';
import { OverrideIndex } from './override-index.ts';
import { changesSomething } from './rule-change.ts';
import { SynonymIndex } from './synonym-index.ts';

/** The rules of a collection as the record has them; synonyms and overrides by their ids. */
export interface StoredRules {
  version: number;
  /** That texts are read as, ISO 639-1; null: none is set or detected. */
  language: string | null;
  settings: SearchSettings | null;
  presets: Preset[];
  synonyms: Synonym[];
  overrides: Override[];
  /** How hits' relevance is told; of modes that are calibrated. */
  relevance: RelevanceModels;
}

export type RelevanceModels = { readonly [Mode in SearchMode]?: RelevanceModel };

/** The rules of a collection, ready to be asked by searches: cut into words and looked up by them once, not for each search. */
export class Rules {
  readonly version: number;
  /** Parameters of the collection's settings, those alone that are set. */
  readonly settings: GivenParameters;
  /** How the collection's texts are read. */
  readonly analyzer: Analyzer;
  readonly synonyms: SynonymIndex;
  readonly overrides: OverrideIndex;
  readonly relevance: RelevanceModels;
  readonly #stored: Pick<StoredRules, 'settings' | 'presets'>;
  readonly #presets: ReadonlyMap<string, GivenParameters>;

  private constructor(
    stored: StoredRules,
    { analyzer, synonyms, overrides }: Pick<Rules, 'analyzer' | 'synonyms' | 'overrides'>,
  ) {
    this.relevance = stored.relevance;
    this.version = stored.version;
    this.analyzer = analyzer;
    this.#stored = { settings: stored.settings, presets: stored.presets };
    const { language: _, ...parameters } = stored.settings ?? {};
    const set = Object.entries(parameters).filter(([, value]) => value !== null);
    this.settings = Object.fromEntries(set);
    this.synonyms = synonyms;
    this.overrides = overrides;
    this.#presets = new Map(stored.presets.map(({ name, parameters: own }) => [name, own]));
  }

  static *of(stored: StoredRules): Steps<Rules> {
    const analyzer = analyzerOf(stored.language);
    const synonyms = yield* SynonymIndex.of(stored.synonyms, analyzer);
    return new Rules(stored, { analyzer, synonyms, overrides: yield* OverrideIndex.of(stored.overrides) });
  }

  /** As they would be with a draft, of which alone it costs: texts are read as they were. */
  *with({ settings, synonyms, overrides }: RuleDraft): Steps<Rules> {
    const { version, relevance } = this;
    const stored = { ...nothingStored, ...this.#stored, version, relevance, ...(settings && { settings }) };
    return new Rules(stored, {
      analyzer: this.analyzer,
      synonyms: changesSomething(synonyms) ? yield* this.synonyms.with(synonyms) : this.synonyms,
      overrides: changesSomething(overrides) ? yield* this.overrides.with(overrides) : this.overrides,
    });
  }

  /** @throws AppError BAD_REQUEST */
  getPreset(name: string): GivenParameters {
    const preset = this.#presets.get(name);
    if (!preset) throw badRequest('preset', 'is not the name of a preset of this collection');
    return preset;
  }
}

export const nothingStored: StoredRules = {
  version: 0,
  language: null,
  settings: null,
  presets: [],
  synonyms: [],
  overrides: [],
  relevance: {},
};

export const noRules = runSteps(Rules.of(nothingStored));
