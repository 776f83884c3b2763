import { expect, test } from 'vitest';
import { resolveFollowUp, type Turn } from './resolve-follow-up.ts';

const turn = (question: string, answer: string, ...titles: string[]): Turn => ({
  question,
  answer,
  subjects: titles.map((title) => ({ collectionId: 1, id: title, title })),
});
const bladeRunner = turn(
  'Who directed Blade Runner?',
  'Blade Runner is a 1982 science fiction film directed by Ridley Scott, and written by Hampton Fancher. [1]',
  'Blade Runner',
);
const prices = turn('How much do the Hush Headphones cost?', 'Price: 229 [1]', 'Hush Headphones');
const nothing = turn('Who won the world cup?', 'I found nothing about this in “films”.');

test.each<[string, Turn[], string, string | null]>([
  ['When was it released?', [bladeRunner], 'When was Blade Runner released?', 'Blade Runner'],
  ['What is its plot?', [bladeRunner], 'What is Blade Runner’s plot?', 'Blade Runner'],
  ['Who stars in the film?', [bladeRunner], 'Who stars in Blade Runner?', 'Blade Runner'],
  ['Where does that movie take place?', [bladeRunner], 'Where does Blade Runner take place?', 'Blade Runner'],
  ['When was that?', [bladeRunner], 'When was Blade Runner?', 'Blade Runner'],
  ['What about its cast?', [bladeRunner], 'What about Blade Runner’s cast?', 'Blade Runner'],
  ['What else did he direct?', [bladeRunner], 'What else did Ridley Scott direct?', null],
  [
    'Which of his films are about robots?',
    [bladeRunner],
    'Which of Ridley Scott’s films are about robots?',
    null,
  ],
  ['What about Alien?', [bladeRunner], 'Who directed Alien?', null],
  ['What about Café Zoé?', [bladeRunner], 'Who directed Café Zoé?', null],
  ['And «Élisá»?', [bladeRunner], 'Who directed Élisá?', null],
  ['And Alien?', [bladeRunner], 'Who directed Alien?', null],
  ['how about alien', [bladeRunner], 'Who directed alien?', null],
  [
    'And in Inception?',
    [turn('Who stars in The Matrix?', 'Keanu Reeves stars. [1]', 'The Matrix')],
    'Who stars in Inception?',
    null,
  ],
  // A title that is a part of another word, or a pronoun.
  [
    'What about Alien?',
    [turn('Where is Her set?', 'Her is set in Los Angeles. [1]', 'Her')],
    'Where is Alien set?',
    null,
  ],
  ['Who directed It?', [bladeRunner], 'Who directed It?', null],
  ['Where does Her take place?', [bladeRunner], 'Where does Her take place?', null],
  ['And the Pebble Earbuds?', [prices], 'How much do the Pebble Earbuds cost?', null],
  ['When?', [bladeRunner], 'When directed Blade Runner?', 'Blade Runner'],
  [
    'When?',
    [turn('And who starred in Alien?', 'The film stars Sigourney Weaver. [1]', 'Alien')],
    'When starred in Alien?',
    'Alien',
  ],
  ['Who produced?', [bladeRunner], 'Who produced Blade Runner?', 'Blade Runner'],
  ['Tell me more', [bladeRunner], 'Tell me about Blade Runner', 'Blade Runner'],
  // What stands for itself.
  ['Who directed Alien?', [bladeRunner], 'Who directed Alien?', null],
  [
    'Which films that are set in Paris have music?',
    [bladeRunner],
    'Which films that are set in Paris have music?',
    null,
  ],
  ['What is Solaris and who directed it?', [bladeRunner], 'What is Solaris and who directed it?', null],
  [`Who directed it? ${'!x'.repeat(150)}`, [bladeRunner], `Who directed it? ${'!x'.repeat(150)}`, null],
  ['Who directed it?', [], 'Who directed it?', null],
  ['Who directed it?', [nothing], 'Who directed it?', null],
  // What was found last counts, not what was not found after it.
  ['Who directed it?', [bladeRunner, nothing], 'Who directed Blade Runner?', 'Blade Runner'],
])('%s', (message, turns, question, focus) => {
  const resolved = resolveFollowUp(message, turns);
  expect(resolved.question).toBe(question);
  expect(resolved.focus[0]?.title ?? null).toBe(focus);
});

test('a title stands for itself, whatever signs it has', () => {
  const signs = Array.from({ length: 0x7f - 0x21 }, (_, i) => String.fromCharCode(0x21 + i)).join('');
  for (const title of [signs, '(a+)+$', '.*', '[', String.raw`\u{1}`, '$&']) {
    const asked = turn(`Who made ${title} then?`, 'I know who. [1]', title);
    expect(resolveFollowUp('What about Alien?', [asked]).question).toBe('Who made Alien then?');
  }
});

test.each([
  ['spaces', `what about ${' '.repeat(286)}b\nb`],
  ['stops', `and ${'! '.repeat(146)}b\nb`],
  ['tabs', `or${'\t'.repeat(140)}d${'\0'.repeat(140)}\nor\tb`],
])('runs of %s cost no more than other text', (_, message) => {
  const before = process.cpuUsage();
  resolveFollowUp(message, [bladeRunner]);
  const { user, system } = process.cpuUsage(before);
  // A millisecond; it was seconds when each way to share out the run was tried.
  expect((user + system) / 1_000).toBeLessThan(300);
});
