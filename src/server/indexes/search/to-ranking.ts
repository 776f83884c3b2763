import type { Ranking } from '#server/engine/types.ts';
import { type RankingName, type RankingValues, rankingConstants } from '#shared/ranking.ts';

/** The engine's ranking: constants that are given, and for the others their defaults. */
export function toRanking(given?: { [Name in keyof RankingValues]?: number | undefined }): Ranking {
  return given === undefined ? usual : rankingOf(given);
}

function rankingOf(given: { [Name in keyof RankingValues]?: number | undefined }): Ranking {
  const of = (name: RankingName) => given[name] ?? rankingConstants[name].default;
  return {
    k1: of('k1'),
    b: of('b'),
    titleWeight: of('title_weight'),
    wholeTitleShare: of('whole_title_weight'),
    faintShare: of('faint_word_weight'),
    prefixShare: of('prefix_weight'),
    typoShares: [1, of('typo_weight'), of('two_typos_weight')],
    synonymShare: of('synonym_weight'),
    certainty: [1, of('corrected_weight'), of('twice_corrected_weight')],
    coveredByTypo: of('covered_by_typo'),
    coveredByTwoTypos: of('covered_by_two_typos'),
    coverageShare: of('coverage_share'),
    longCoverageShare: of('long_coverage_share'),
    shortWordsMax: of('short_query_words'),
    fewMatches: of('few_matches'),
    fewDocuments: of('few_documents'),
    commonShare: of('common_share'),
    rankConstant: of('rrf_constant'),
    calibrationMin: of('calibration_documents'),
    similarityDeviations: of('similarity_deviations'),
    wordsRange: of('words_range'),
    coveredWeight: of('covered_weight'),
    certainWords: of('certain_words'),
    neighboursWeight: of('neighbours_weight'),
  };
}

/** Of nearly all searches: it is read and never written. */
const usual: Ranking = rankingOf({});
