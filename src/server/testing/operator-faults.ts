import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isAssignment } from './documented-lines.ts';
import { shellWords } from './shell-words.ts';

/** Commands for the machine that a server runs on. They are not run: what they name is looked up. */
const checks: Record<string, (args: string[], root: string) => string | null> = {
  node: ([script = '', ...args], root) => scriptFault(script, args, root),
  npm: npmFault,
  npx: fileFault,
  docker: composeFault,
  psql: () => null,
  pg_dump: () => null,
  pg_restore: () => null,
};

export function isOfOperators(command: string): boolean {
  return Object.hasOwn(checks, programIn(command));
}

/** Why an operator's command cannot do what it says, as far as the files below `root` tell; null: they tell nothing against it. */
export function operatorFault(command: string, root: string): string | null {
  return checks[programIn(command)]?.(argumentsIn(command), root) ?? null;
}

const calledIn = (command: string) => {
  const words = shellWords(command);
  return words.slice(words.findIndex((word) => !isAssignment(word)));
};
const programIn = (command: string) => calledIn(command)[0] ?? '';
const argumentsIn = (command: string) => calledIn(command).slice(1);

/** A script that is there, and knows its first word and its options by name. */
function scriptFault(script: string, args: string[], root: string): string | null {
  const file = path.join(root, script);
  if (!existsSync(file)) return `there is no ${script}`;
  const text = readFileSync(file, 'utf8');
  const [first = ''] = args;
  if (/^[a-z]+$/.test(first) && !text.includes(`'${first}'`)) return `${script} knows no ${first}`;
  const unknown = args
    .filter((word) => word.startsWith('--') && word !== '--')
    .map((word) => word.slice(2).replace(/=.*$/, ''))
    .find((option) => !hasOption(text, option, root));
  return unknown === undefined ? null : `${script} has no option --${unknown}`;
}

/** What scripts hand to a command of the server is read there. */
function hasOption(script: string, option: string, root: string): boolean {
  const command = /runCommand\('([\w-]+)'/.exec(script)?.[1];
  if (command === undefined) return new RegExp(`(?<![\\w-])(${option}:|'${option}':)`).test(script);
  const text = readFileSync(path.join(root, `src/server/operator/${command}.ts`), 'utf8');
  return new RegExp(`--${option}(?![\\w-])`).test(text);
}

function npmFault([command = '', ...rest]: string[], root: string): string | null {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  const [name = '', ...args] = command === 'run' ? rest : [command, ...rest];
  if (!Object.hasOwn(scripts, name)) return `npm runs nothing that is called ${name}`;
  const script = /scripts\/\S+\.mjs(?!.*scripts\/)/.exec(scripts[name] ?? '')?.[0];
  const own = args.slice(args.indexOf('--') + 1);
  return script === undefined || !args.includes('--') ? null : scriptFault(script, own, root);
}

/** Files of the sources that a tool is told of. */
function fileFault(args: string[], root: string): string | null {
  const gone = args.find((word) => /^(src|e2e|scripts)\//.test(word) && !existsSync(path.join(root, word)));
  return gone === undefined ? null : `there is no ${gone}`;
}

/** `compose -f <file> <command>`, with options that have no values, and services. */
function composeFault([, , file = '', , ...rest]: string[], root: string): string | null {
  if (!existsSync(path.join(root, file))) return `there is no ${file}`;
  const text = readFileSync(path.join(root, file), 'utf8');
  const unknown = rest.find((word) => !word.startsWith('-') && !new RegExp(`^ {2}${word}:`, 'm').test(text));
  return unknown === undefined ? null : `${file} has no service ${unknown}`;
}
