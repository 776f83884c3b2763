import type { RandomNumbers } from '#server/random-numbers.ts';

/** Texts in the manner of code and of what people ask of it, from templates and words of our own. */

const verbs =
  'add append apply build cache check clean close collect compare compress convert copy count create decode delete detect download draw encode encrypt export extract fetch fill filter find flatten format generate get group hash import insert join list load lock log map mark match merge move open parse plot print publish query read receive reduce refresh remove rename render replace reset resize resolve retry return round sample save scan search select send serialize set shuffle sort split start stop store strip submit subscribe sum swap sync test train transform trim truncate unlock update upload validate verify visit wait walk wrap write zip'.split(
    ' ',
  );
const nouns =
  'account address archive array attribute axis batch block body border buffer button byte cell chart child class client color column command comment config connection cookie count customer data database date device dictionary directory document edge email entry error event field file filter folder form frame function graph grid group header histogram host id image index input invoice item job json key label layer layout length level line link list lock log map mask matrix message method metric model module name node number object option order output page parameter parent parser password path pattern payload pixel point pool port price product profile project property query queue range rate record region request response result role row rule sample schema score script section segment sensor server session shape signal size socket source stack state status step stream string table tag task template test text thread ticket time token topic tree tuple type unit url user value vector vertex video view weight widget window word worker xml yaml zone'.split(
    ' ',
  );
const adjectives =
  'active all current default duplicate empty expired first hidden invalid last latest local longest lower missing nested new next null old open pending previous public random recent remote selected shared shortest sorted temporary total unique unused upper valid visible'.split(
    ' ',
  );
const types = 'int str float bool bytes list dict string number boolean void char double long'.split(' ');
const operators = ['==', '!=', '<', '>', '<=', '>=', '===', '!=='];
const numbers = [
  '0',
  '1',
  '2',
  '3',
  '5',
  '8',
  '10',
  '16',
  '24',
  '60',
  '64',
  '100',
  '255',
  '404',
  '500',
  '1024',
  '3600',
];

interface Names {
  verb: string;
  adjective: string;
  noun: string;
  other: string;
  /** `loadUser`, `load_user` and the like. */
  call: string;
  item: string;
  items: string;
  type: string;
  operator: string;
  number: string;
}

const statements: ((names: Names) => string)[] = [
  ({ call, item, type, noun }) => `def ${call}(${item}: ${type}) -> ${type}:\n    return ${item}.${noun}`,
  ({ call, items, item, noun }) =>
    `def ${call}(${items}):\n    return [${item}.${noun} for ${item} in ${items} if ${item}.${noun} is not None]`,
  ({ call, item, items }) =>
    `function ${call}(${items}) {\n  return ${items}.filter((${item}) => !${item}.deleted);\n}`,
  ({ call, item, other }) => `const ${item} = await ${call}(${other}.id);`,
  ({ items, item, noun, number }) => `const ${items} = ${item}.${noun}.slice(0, ${number});`,
  ({ item, operator, number, other }) =>
    `if (${item}.length ${operator} ${number}) {\n  throw new Error("invalid ${other}");\n}`,
  ({ item, items, noun }) => `for ${item} in sorted(${items}, key=lambda x: x.${noun}):\n    print(${item})`,
  ({ item, items }) => `for (let i = 0; i < ${items}.length; i++) {\n  ${item} += ${items}[i];\n}`,
  ({ items, noun, other, number }) =>
    `SELECT ${noun}, COUNT(*) FROM ${items} WHERE ${other} = ${number} GROUP BY ${noun} ORDER BY 2 DESC;`,
  ({ items, noun, other }) => `UPDATE ${items} SET ${noun} = '${other}' WHERE id = ?;`,
  ({ items, noun, other }) => `CREATE INDEX ${items}_${noun}_idx ON ${items} (${noun}, ${other});`,
  ({ item, other, noun }) => `with open(${item}_path, "r") as f:\n    ${other} = json.load(f)["${noun}"]`,
  ({ call, item, other }) =>
    `try:\n    ${item} = ${call}(${other})\nexcept ValueError as e:\n    logger.error("%s failed", e)`,
  ({ item, noun, other }) => `import ${item}\nfrom ${noun}.${other} import *`,
  ({ noun, other }) => `import { ${noun}, ${other} } from './${noun}.js';`,
  ({ item, noun, number }) => `${item}["${noun}"] = ${item}.get("${noun}", ${number}) + 1`,
  ({ item, items, number }) => `${item} = np.zeros((${number}, len(${items})))`,
  ({ item, noun, other }) => `${item} = df.groupby("${noun}")["${other}"].mean().reset_index()`,
  ({ call, noun, type }) =>
    `public ${type} ${call}(final String ${noun}) {\n    return this.${noun}.equals(${noun});\n}`,
  ({ call, item, noun }) =>
    `func (s *Server) ${call}(${item} *${noun}) error {\n\tif ${item} == nil {\n\t\treturn nil\n\t}\n}`,
  ({ call, items, noun }) =>
    `pub fn ${call}(${items}: &[u8]) -> Option<${noun}> {\n    ${items}.iter().next()\n}`,
  ({ item, noun, number }) => `while ((${item} = next(${noun})) != NULL && i < ${number}) { i++; }`,
  ({ noun, other, number }) =>
    `<div class="${noun}-${other}" data-id="${number}">{{ ${noun}.${other} }}</div>`,
  ({ noun, other, number }) =>
    `.${noun}-${other} {\n  margin: 0 ${number}px;\n  color: #${number}${number};\n}`,
  ({ verb, noun, other }) => `git ${verb} --${noun}=${other} && npm run ${verb}:${noun}`,
  ({ item, items, noun }) => `${item} = {k: v for k, v in ${items}.items() if k != "${noun}"}`,
  ({ item, noun, other }) => `return ${item} ? ${item}.${noun} : ${other};`,
  ({ call, item, other }) => `self.${item} = ${item}\nself.${other} = self.${call}(${item})`,
  ({ call, item, number }) => `assert ${call}(${item}) == ${number}, f"{${item}} is wrong"`,
  ({ items, noun, other }) => `${items}.map(${noun} => ({ ...${noun}, ${other}: true }))`,
  ({ noun, other, number }) => `${noun}:\n  ${other}: ${number}\n  enabled: true`,
  ({ item, noun }) => `re.sub(r"[^a-z0-9]+", "-", ${item}.${noun}.lower()).strip("-")`,
  ({ call, noun, other }) =>
    `class ${pascal(noun, other)}(Base${pascal(noun)}):\n    def ${call}(self):\n        super().__init__()`,
  ({ item, number }) => `${item} = (${item} << ${number}) & 0xff | ${item} >> 2;`,
  ({ call, noun, other }) =>
    `app.get("/${noun}/:${other}", async (req, res) => res.json(await ${call}(req.params.${other})));`,
];

const requests: ((names: Names) => string)[] = [
  ({ verb, adjective, noun, other }) => `${verb} the ${adjective} ${noun} of a ${other}`,
  ({ verb, noun, other }) => `how to ${verb} a ${noun} from a ${other}`,
  ({ verb, noun, other }) => `function to ${verb} ${noun}s by ${other}`,
  ({ verb, adjective, noun }) => `${verb} ${adjective} ${noun}s in a list`,
  ({ verb, noun, type }) => `${verb} ${noun} and return it as ${type}`,
  ({ verb, noun, other }) => `${noun} ${other} ${verb} error`,
  ({ verb, noun, other, type }) => `python ${verb} ${noun} ${other} to ${type}`,
  ({ verb, noun, number }) => `${verb} the first ${number} ${noun}s`,
  ({ adjective, noun, other }) => `Check whether the ${noun} has a ${adjective} ${other}.`,
];

/** Code, or what somebody asks for, or the one as a comment on the other. */
export function codeText(random: RandomNumbers): string {
  const names = namesFrom(random);
  const request = random.pick(requests)(names);
  const form = random.below(8);
  if (form < 3) return request;
  const code = Array.from({ length: random.between(1, 3) }, () => random.pick(statements)(names)).join('\n');
  return form < 4 ? `${random.pick(['# ', '// ', '-- '])}${request}\n${code}` : code;
}

function namesFrom(random: RandomNumbers): Names {
  const [verb, adjective, noun, other] = [verbs, adjectives, nouns, nouns].map((words) =>
    random.pick(words),
  ) as [string, string, string, string];
  const isSnake = random.next() < 0.5;
  const named = (...words: string[]) => (isSnake ? words.join('_') : camel(words));
  return {
    verb,
    adjective,
    noun,
    other,
    call: random.next() < 0.5 ? named(verb, noun) : named(verb, adjective, other),
    item: random.next() < 0.5 ? noun : named(adjective, noun),
    items: random.next() < 0.5 ? `${other}s` : named(noun, `${other}s`),
    type: random.pick(types),
    operator: random.pick(operators),
    number: random.pick(numbers),
  };
}

function pascal(...words: string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function camel([first = '', ...words]: string[]): string {
  return first + pascal(...words);
}
