/**
 * The judged sets in `$DATASETS_DIR` as chat is measured on them: documents, questions with the documents that answer them, and questions that none answers.
 */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

/** Every so manieth film with a text is in the set, and every so manieth other one is asked for in vain. */
const filmsStep = 7;
const textCharactersMin = 150;

const says = (pattern) => (film) => pattern.test(film.text);
/** What people ask of a film, and what tells that its text answers it. */
const forms = [
  [says(/directed by/), (title) => `Who directed ${title}?`],
  [() => true, (title) => `When was ${title} released?`],
  [(film) => film.cast.length > 0, (title) => `Who stars in ${title}?`],
  [says(/ (follows|story|about|who) /), (title) => `What is ${title} about?`],
  [says(/written by/), (title) => `Who wrote ${title}?`],
  [says(/directed by/), (title) => `who directed ${title.toLowerCase()}`],
];

/**
 * `questions`: `{id, text, relevant}`, relevant a set of ids. `without`: `{id, text}` of its own domain that no document answers; null: there are none but those
 * whose documents are left out.
 */
export async function judgedSet(name, { questionsMax }) {
  return name === 'wiki-movies' ? await films(questionsMax) : await judged(name, questionsMax);
}

async function judged(name, questionsMax) {
  const documents = new Map();
  for await (const { _id: id, title, text } of rows(name, 'corpus.jsonl'))
    documents.set(id, { id, title, text });
  const relevant = new Map();
  const lines = (await readFile(file(name, 'qrels.tsv'), 'utf8')).trimEnd().split('\n').slice(1);
  for (const line of lines) {
    const [question, document] = line.split('\t');
    relevant.set(question, (relevant.get(question) ?? new Set()).add(document));
  }
  const questions = [];
  for await (const { _id: id, text } of rows(name, 'queries.jsonl'))
    if (relevant.has(id)) questions.push({ id, text, relevant: relevant.get(id) });
  return { name, documents, questions: questions.slice(0, questionsMax), without: null };
}

/** Nobody judged these: questions are made of titles, of films that are in the set and of others. */
async function films(questionsMax) {
  const all = [];
  for await (const { _id: id, thumbnail: _, ...film } of rows('wiki-movies', 'corpus.jsonl.gz'))
    if (film.text.length > textCharactersMin) all.push({ id, ...film });
  const inside = all.filter((_, i) => i % filmsStep === 0);
  const titles = new Set(inside.map(({ title }) => title.toLowerCase()));
  const outside = all.filter(({ title }, i) => i % filmsStep === 3 && !titles.has(title.toLowerCase()));
  return {
    name: 'wiki-movies',
    documents: new Map(inside.map((film) => [film.id, film])),
    questions: askedOf(inside, questionsMax).map((each) => ({ ...each, relevant: new Set([each.id]) })),
    without: askedOf(outside, questionsMax),
  };
}

function askedOf(films, questionsMax) {
  const asked = [];
  const step = Math.max(1, Math.floor(films.length / (2 * questionsMax)));
  for (let i = 0; i < films.length && asked.length < questionsMax; i += step) {
    const film = films[i];
    const [fits, form] = forms[asked.length % forms.length];
    if (fits(film)) asked.push({ id: film.id, text: form(film.title) });
  }
  return asked;
}

async function* rows(name, fileName) {
  const plain = createReadStream(file(name, fileName));
  const input = fileName.endsWith('.gz') ? plain.pipe(createGunzip()) : plain;
  for await (const line of createInterface({ input })) if (line !== '') yield JSON.parse(line);
}

function file(name, fileName) {
  const folder = process.env.DATASETS_DIR;
  if (!folder) throw new Error('Set DATASETS_DIR to the folder that holds the judged sets');
  return path.join(folder, name, fileName);
}
