/** A command of a page, ready for bash. */
export interface DocumentedLine {
  /** What the page has defined before: functions and variables. */
  definitions: string;
  command: string;
}

/** What stands in a page's blocks of shell: each command for itself, with what was defined before it. */
export function documentedLines(page: string): DocumentedLine[] {
  const definitions: string[] = [];
  const lines: DocumentedLine[] = [];
  for (const command of blocksOf(page).flatMap(commandsOf)) {
    if (/^\w+(=|\(\) \{)/.test(command)) definitions.push(command);
    else lines.push({ definitions: definitions.join('\n'), command });
  }
  return lines;
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
