import { shellWords, substitutionIn } from './shell-words.ts';

/** A command of a page, ready for bash. */
export interface DocumentedLine {
  /** What the page has defined before: functions, and variables whose values stand there. */
  definitions: string;
  command: string;
  /** That its output is the value of from then on, as the page has it by `X=$(…)` or `export X=$(…)`; null: none. */
  variable: string | null;
}

/** What stands in a page's blocks of shell: each command for itself, with what was defined before it. @throws Error for a line that could not be checked */
export function documentedLines(page: string): DocumentedLine[] {
  const definitions: string[] = [];
  const lines: DocumentedLine[] = [];
  const add = (command: string, variable: string | null) =>
    lines.push({ definitions: definitions.join('\n'), command, variable });
  for (const command of blocksOf(page).flatMap(commandsOf)) {
    const assignments = assignmentsOf(command);
    if (/^\w+\(\) \{/.test(command)) definitions.push(command);
    else if (assignments === null) add(command, null);
    for (const { name, value } of assignments ?? []) {
      const run = substitutionIn(value);
      if (run !== null) add(run, name);
      else if (!/^'[^']*'$/.test(value) && /\$\(|`/.test(value))
        throw new Error(`${command}: give a variable what a command says, and nothing beside it`);
      // What a reader has to fill in is known already where lines are run.
      else if (!value.includes('…')) definitions.push(`export ${name}=${value}`);
    }
  }
  return lines;
}

/** What a command gives to variables, if it does nothing else; else null. */
function assignmentsOf(command: string): { name: string; value: string }[] | null {
  const words = shellWords(command);
  const given = words[0] === 'export' ? words.slice(1) : words;
  const isAll = given.length > 0 && given.every(isAssignment);
  return isAll ? given.map(toAssignment) : null;
}

export const isAssignment = (word: string) => /^\w+=/.test(word);

function toAssignment(word: string) {
  const at = word.indexOf('=');
  return { name: word.slice(0, at), value: word.slice(at + 1) };
}

function blocksOf(page: string): string[] {
  return [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
}

/** A line that ends in a backslash goes on in the next, and so does one whose quote is open. */
function commandsOf(block: string): string[] {
  const commands: string[] = [];
  for (const line of block.replaceAll(/\\\n\s*/g, '').split('\n')) {
    const last = commands.at(-1);
    if (last !== undefined && hasOpenQuote(last)) commands[commands.length - 1] = `${last}\n${line}`;
    else if (line.trim() !== '' && !line.trim().startsWith('#')) commands.push(line.trim());
  }
  return commands;
}

const hasOpenQuote = (line: string) => (line.match(/'/g)?.length ?? 0) % 2 === 1;
