import { describe, expect, it, vi } from 'vitest';
import { DocumentTable } from '../../documents/document-table.ts';
import { fieldTexts } from '../../documents/text-fields.ts';
import { LexicalIndex } from '../../lexical/lexical-index.ts';
import { runSteps } from '../../steps.ts';
import { TooDearError, WorkBudget } from '../../work-budget.ts';
import { ColumnStore } from '../columns/column-store.ts';
import { evaluateFilter } from './evaluate-filter.ts';
import { parseFilter } from './filter-parser.ts';

const sentence = 'A quiet tale of the river and the stone houses beside it. ';
const fillerOf = (i: number) => Array.from({ length: 20 }, (_, k) => `w${i % 7}x${k}`).join(' ');

/** Of one term, more than have a bit of their own: the last two share theirs. */
const robots =
  'roboting roboted roboter robotic robotical robotness robotment robotive robotize robot robots';

/** Documents with a long text; half of them hold `robot`, a quarter `robots`, which their texts alone tell apart beside `roboting`; all hold `river`. */
function filmsOf(count: number) {
  const documents = new DocumentTable();
  const lexical = new LexicalIndex();
  const columns = new ColumnStore([{ name: 'at', type: 'geopoint' }]);
  for (let i = 0; i < count; i += 1) {
    const words = ['robot roboting', 'robots roboting', 'robot roboting', ''][i % 4] ?? '';
    const film = {
      ...(i === 0 && { words: robots }),
      title: `film ${i} ab${i % 10}`,
      year: 1900 + (i % 100),
      at: [i % 90, i % 180],
      text: `${sentence.repeat(6)}${fillerOf(i)} ${words}`,
    };
    const ordinal = documents.add(`f${i}`, JSON.stringify(film));
    runSteps(lexical.add(ordinal, runSteps(fieldTexts(film))));
    runSteps(columns.add(ordinal, film));
  }
  return { documents, lexical, columns };
}

/** What a filter costs over so many documents: units of work, posting lists and documents read, and pauses. */
function costOf(count: number, text: string, units = Number.MAX_SAFE_INTEGER) {
  const films = filmsOf(count);
  const { filter } = parseFilter(text);
  if (filter === null) throw new Error(`no filter: ${text}`);
  const budget = new WorkBudget('filter', units);
  const spend = vi.spyOn(budget, 'spend');
  const read = vi.spyOn(films.documents, 'sourceOf');
  const lists = vi.spyOn(films.lexical.postings, 'blocksOf');
  const steps = evaluateFilter(filter, { ...films, live: films.documents.live, budget });
  let pauses = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) pauses += 1;
  return {
    units: spend.mock.calls.reduce((sum, [each]) => sum + each, 0),
    reads: read.mock.calls.length,
    lists: lists.mock.calls.length,
    pauses,
    found: step.value.count(),
  };
}

const all = (conditions: string[]) => conditions.join(' && ');
const any = (conditions: string[]) => conditions.join(' || ');
const times = <T>(count: number, each: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => each(i));

describe('what a filter costs', () => {
  it('is the same for one condition and for a thousand that say the same', () => {
    const once = costOf(400, 'text:robot');
    for (const text of [all(times(1_000, () => 'text:robot')), any(times(1_000, () => 'text:robot'))]) {
      const often = costOf(400, text);
      expect(often).toEqual(once);
    }
    expect(once.found).toBe(200);
  });

  it('reads no text for a word that its posting list tells', () => {
    expect(costOf(400, 'text:river && text:stone')).toMatchObject({ found: 400, reads: 0 });
    expect(costOf(400, 'text:hous* && !text:absent')).toMatchObject({ found: 400, reads: 0 });
  });

  it('reads no text where a mark of the posting tells which words of the term it is of', () => {
    expect(costOf(400, 'text:roboting')).toMatchObject({ found: 300, reads: 0 });
    expect(costOf(400, '!text:roboting')).toMatchObject({ found: 100, reads: 0 });
    expect(costOf(400, 'text:roboti*')).toMatchObject({ found: 300, reads: 0 });
    expect(costOf(400, 'text:robot*')).toMatchObject({ found: 300, reads: 0 });
    expect(costOf(400, 'text:robotic')).toMatchObject({ found: 0, reads: 0 });
  });

  it('reads each document once for all conditions of all fields, and only where no other condition decides', () => {
    const conditions = times(300, (i) => (i % 2 === 0 ? `text:robot` : `text:"robot w${i % 7}x1"`));
    expect(costOf(400, any([...conditions, 'text:"river robots"'])).reads).toBe(300);
    expect(costOf(400, 'id:f4 && text:robot')).toMatchObject({ found: 1, reads: 1 });
    expect(costOf(400, 'text:robot && year:1904').reads).toBe(4);
    expect(costOf(400, 'text:robot || year:>0').reads).toBe(0);
  });

  it('reads the postings of a word once, however many operands and conditions name it', () => {
    const lists = all(times(100, (i) => `text:[river, robot${i}]`));
    expect(costOf(400, lists)).toMatchObject({ found: 400, lists: 1 });
    const phrases = any(times(21, (i) => `text:"river ${i < 7 ? `w${i}x1` : 'stone'}"`));
    expect(costOf(400, phrases)).toMatchObject({ found: 400, lists: 8 });
    const beginnings = all(times(50, (i) => `(text:hou* || title:zz${i})`));
    expect(costOf(400, beginnings)).toMatchObject({ found: 400, lists: 1 });
  });

  it('reads no postings of a frequent word beside one that nobody has', () => {
    const phrases = any(times(100, (i) => `text:"the river absent${i}"`));
    expect(costOf(400, phrases)).toMatchObject({ found: 0, lists: 0, reads: 0 });
  });

  it('asks nothing more once all documents pass', () => {
    expect(costOf(400, 'text:[river, stone, houses, robot]')).toMatchObject({
      found: 400,
      lists: 1,
      reads: 0,
    });
  });

  it('is linear in the conditions and in the documents, not in their product with the texts', () => {
    const filters: Record<string, (count: number) => string> = {
      words: (count) => all(times(count, (i) => `text:"robot w${i % 7}x${i % 20}" || text:robots${i}`)),
      'beginnings of words': (count) => all(times(count, (i) => `(title:f* || title:zz${i}*)`)),
      'beginnings of values': (count) => all(times(count, (i) => `(title:=film* || title:=zz${i}*)`)),
      'whole values': (count) => all(times(count, (i) => `!(title:=film${i} && text:river)`)),
      numbers: (count) => all(times(count, (i) => `(year:>${i} || year:<3)`)),
      distances: (count) => all(times(count, (i) => `(at:(${i % 9}, 5, 20000 km) || year:<3)`)),
    };
    for (const [kind, textOf] of Object.entries(filters)) {
      const few = costOf(200, textOf(10));
      const manyConditions = costOf(200, textOf(80));
      const manyDocuments = costOf(800, textOf(10));
      expect(manyConditions.units, kind).toBeLessThanOrEqual(9 * few.units);
      expect(manyDocuments.units, kind).toBeLessThanOrEqual(4.5 * few.units);
      // Entries and postings, not characters: some dozens a document and condition; and each text once.
      expect(manyConditions.units, kind).toBeLessThanOrEqual(80 * 200 * 64 + 200 * 1_000 * 16);
    }
  });

  it('of points counts their distances and the corners of polygons, only of documents that are left and latitudes that may be inside', () => {
    const cornersOf = (count: number) =>
      times(count, (i) => `${i % 2 === 0 ? -9 : 89}, ${i / count}`).join(', ');
    const few = costOf(400, `at:(${cornersOf(10)}, 89, 170, -9, 170)`);
    const many = costOf(400, `at:(${cornersOf(400)}, 89, 170, -9, 170)`);
    expect(many.units).toBeGreaterThan(25 * few.units);
    expect(many.found).toBe(few.found);
    const around = costOf(400, 'at:(45, 5, 20000 km)');
    expect(around.units).toBeGreaterThan(400 * 32);
    expect(costOf(400, 'at:(45, 5, 10 km)').units).toBeLessThan(around.units / 3);
    expect(costOf(400, 'year:<1950 && at:(45, 5, 20000 km)').units).toBeLessThan(around.units);
    expect(costOf(400, 'id:f4 && at:(45, 5, 20000 km)')).toMatchObject({ found: 1 });
    expect(costOf(400, 'id:f4 && at:(45, 5, 20000 km)').units).toBeLessThan(200);
  });

  it('is refused beyond the budget, before the work is done', () => {
    for (const text of [all(times(100, (i) => `(year:>${i} || year:<3)`)), 'at:(45, 5, 20000 km)']) {
      const { units } = costOf(200, text);
      expect(() => costOf(200, text, units - 1)).toThrow(TooDearError);
      expect(costOf(200, text, units).found).toBe(200);
    }
  });

  it('is paid in steps', () => {
    const { pauses, units } = costOf(2_000, all(times(50, (i) => `text:"robot w${i % 7}x1" || year:>${i}`)));
    expect(pauses).toBeGreaterThan(units / 150_000);
    expect(runSteps(evaluateFilter({ kind: 'exists', path: 'id', position: 0 }, scopeOf(3))).count()).toBe(3);
  });
});

function scopeOf(count: number) {
  const films = filmsOf(count);
  return { ...films, live: films.documents.live, budget: new WorkBudget('filter') };
}
