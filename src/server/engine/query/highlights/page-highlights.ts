import { textsAtOnce, textsByField } from '../../documents/text-fields.ts';
import { askedPhrases, termsOf } from '../../lexical/asked-phrases.ts';
import type { LexicalIndex } from '../../lexical/lexical-index.ts';
import { MatchedWords } from '../../lexical/matched-words.ts';
import type { QueryWord } from '../../lexical/query-words.ts';
import type { Steps } from '../../steps.ts';
import type { WordRules } from '../../text/word-rules.ts';
import type { EngineHit, SearchQuery } from '../../types.ts';
import { Highlighter } from './highlighter.ts';

/** The highlights of one page of hits. Only fields that hold a matched word are read. */
export class PageHighlights {
  readonly #highlighter: Highlighter;
  /** Fields to highlight, in this order; null: all, in the order of the document. */
  readonly #named: string[] | null;
  /** By place on the page: fields that hold a matched word; null: any field may. */
  readonly #withMatch: (string[] | null)[];

  private constructor(
    { matched, rules }: { matched: MatchedWords; rules: WordRules },
    named: string[] | null,
    withMatch: (string[] | null)[],
  ) {
    this.#highlighter = new Highlighter(matched, rules);
    this.#named = named;
    this.#withMatch = withMatch;
  }

  /** `bytes`: of the page's documents. */
  static *of(
    { lexical, words }: { lexical: LexicalIndex; words: QueryWord[] },
    query: SearchQuery,
    { page, bytes }: { page: Int32Array; bytes: number },
  ): Steps<PageHighlights> {
    const { highlightFields, fields } = query;
    const quoted = askedPhrases(query.text, lexical.analyzer).filter(({ kind }) => kind === 'phrase');
    const matched = yield* MatchedWords.of(
      lexical,
      words,
      quoted.map((phrase) => termsOf(lexical.dictionary, phrase)),
    );
    const named = highlightFields ?? fields?.map(({ name }) => name) ?? null;
    const withMatch = named?.length === 0 ? [] : yield* matched.fieldsOf(page, bytes);
    return new PageHighlights({ matched, rules: lexical.analyzer.words }, named, withMatch);
  }

  /** What is to be read of the document at a place of the page; null: all fields. */
  fieldsAt(place: number): string[] | null {
    const withMatch = this.#withMatch[place] ?? null;
    const named = this.#named;
    return withMatch === null ? named : withMatch.filter((field) => named?.includes(field) !== false);
  }

  *of(document: Record<string, unknown>, fields: string[] | null): Steps<EngineHit['highlights']> {
    return yield* this.#highlighter.highlight(this.#inOrder(yield* textsByField(document, fields)));
  }

  /** The same in one go, of a small document. */
  atOnce(document: Record<string, unknown>, fields: string[] | null): EngineHit['highlights'] {
    return this.#highlighter.highlightAtOnce(this.#inOrder(textsAtOnce(document, fields)));
  }

  #inOrder(texts: Map<string, string[]>): Map<string, string[]> {
    if (this.#named === null) return texts;
    const inOrder = this.#named.flatMap((field): [string, string[]][] => {
      const own = texts.get(field);
      return own === undefined ? [] : [[field, own]];
    });
    return new Map(inOrder);
  }
}
