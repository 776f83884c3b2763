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

/** A line that ends in a backslash goes on in the next. */
function commandsOf(block: string): string[] {
  const lines = block.replaceAll(/\\\n\s*/g, '').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}
